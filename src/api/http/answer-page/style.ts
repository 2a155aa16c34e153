/** The only style sheet of the answer pages, allowed by its hash. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f5f6f8; --sheet: #ffffff; --ink: #1b1f27; --quiet: #59616f; --line: #d5d9e0; --edge: #868e9c;
  --accent: #2450c8; --accent-ink: #ffffff; --tint: #eef2fd; --wrong: #b3261e; --wrong-tint: #fdf0ef;
  --good: #17663a; --good-tint: #edf7f1; --code: #f1f3f6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #101216; --sheet: #181b21; --ink: #e8eaef; --quiet: #a3abb9; --line: #323843; --edge: #7d8696;
    --accent: #9db8ff; --accent-ink: #0f1a3a; --tint: #1f2739; --wrong: #ffb0a8; --wrong-tint: #34201f;
    --good: #8fd9ae; --good-tint: #182b20; --code: #12151a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif;
}
body > * { max-width: 46rem; margin-inline: auto; padding-inline: 1.25rem; }
body > header { display: flex; flex-wrap: wrap; gap: .15rem .9rem; align-items: baseline; padding-block: 1.5rem .9rem; font-size: .9rem; }
.brand { font-weight: 700; letter-spacing: -.01em; font-size: 1.05rem; }
main { background: var(--sheet); border: 1px solid var(--line); border-radius: .8rem; padding-block: 2rem 2.25rem; }
body > footer { padding-block: 1rem 3rem; font-size: .8125rem; }
@media (min-width: 40rem) { body > * { padding-inline: 2.5rem; } }
@media (max-width: 46rem) { main { border-inline: 0; border-radius: 0; } }

h1 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.3; letter-spacing: -.01em; margin: 2.25rem 0 .85rem; }
h3 { font-size: 1rem; margin: 0; }
h4, h5, h6 { font-size: 1rem; line-height: 1.35; margin: 1.4rem 0 .4rem; }
h4 { font-size: 1.125rem; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); text-underline-offset: .15em; }
.subject { margin-bottom: 1.1rem; padding: .75rem 1rem; border-inline-start: 3px solid var(--edge); background: var(--code); border-radius: 0 .4rem .4rem 0; }
.subject p { margin: 0 0 .25rem; font-size: .9375rem; }
.subject p:last-child { margin: 0; }
.subject .subject-title { font-weight: 650; font-size: 1.0625rem; }
.prompt { font-size: 1.0625rem; white-space: pre-wrap; }
.quiet { color: var(--quiet); font-weight: 400; }
p.quiet { font-size: .9rem; }
.target { font-size: .875em; color: var(--quiet); }
.said { white-space: pre-wrap; }
code, pre, .code textarea { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em; }
pre { margin: 0 0 .75rem; padding: .8rem .9rem; background: var(--code); border-radius: .4rem; white-space: pre-wrap; }
pre code { font-size: inherit; }

details { border: 1px solid var(--line); border-radius: .5rem; margin-block: .75rem; }
summary { padding: .8rem 1rem; cursor: pointer; border-radius: .5rem; }
summary h3 { display: inline; }
summary .quiet { font-size: .875rem; margin-inline-start: .35rem; }
summary::marker { color: var(--quiet); }
details[open] > summary { border-bottom: 1px solid var(--line); border-end-start-radius: 0; border-end-end-radius: 0; }
details > :not(summary) { padding-inline: 1rem; }
.content { padding-block: 1rem .35rem; }
.content > :first-child { margin-top: 0; }
.content blockquote { margin: 0 0 .75rem; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--quiet); }
.content hr { border: 0; border-top: 1px solid var(--line); margin-block: 1.5rem; }
.scroll { overflow-x: auto; margin-bottom: .75rem; background:
  linear-gradient(to right, var(--sheet) 1.5rem, transparent) left / 3rem 100% no-repeat local, linear-gradient(to left, var(--sheet) 1.5rem, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--edge), transparent) left / .8rem 100% no-repeat scroll, linear-gradient(to left, var(--edge), transparent) right / .8rem 100% no-repeat scroll; }
@media (max-width: 40rem) { .scroll::before { content: "A table; scroll it sideways if it is cut off."; display: block; position: sticky; left: 0; font-size: .8125rem; color: var(--quiet); margin-bottom: .25rem; } }
table { border-collapse: collapse; font-size: .9375rem; overflow-wrap: normal; }
th, td { text-align: start; vertical-align: top; padding: .4rem .75rem; border: 1px solid var(--line); }
th { font-weight: 650; }
ul, ol { margin: 0 0 .75rem; padding-inline-start: 1.4rem; }
li + li { margin-top: .25rem; }
.entries { list-style: none; padding: 0; }
.entries > li { padding-block: .65rem; border-top: 1px solid var(--line); margin: 0; }
.entries > li:first-child { border-top: 0; padding-top: 0; }
dl { margin: 0 0 .5rem; }
dt { font-size: .875rem; color: var(--quiet); margin-top: .6rem; }
div:first-child > dt { margin-top: 0; }
dd { margin: 0; }
dd > ul { margin-block: .15rem; }
dd > dl { padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); margin-top: .3rem; }
.wide > * { max-width: 68rem; }
.wide main > :not(section), .wide form > .field { max-width: 46rem; }
.rated { margin-block: 0 2.25rem; padding-block: 1.1rem .1rem; border-top: 3px solid var(--edge); }
.rated > h3 { font-size: 1.125rem; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0 1.25rem; }
.part { margin-bottom: 1rem; min-width: 0; }
.part > h4 { margin: 0 0 .4rem; }
.said-part { --sheet: var(--code); padding: .9rem 1rem .2rem; background: var(--code); border: 1px solid var(--line); border-radius: .5rem; }
.said-part > :first-child { margin-top: 0; }
.said-part pre { padding-inline: 0; }
.rated .options { grid-template-columns: repeat(auto-fit, minmax(6.4rem, 1fr)); }
.rated .option { gap: .5rem; padding-inline: .65rem; }
@media (max-width: 36rem) { .rated .options { grid-template-columns: 1fr; } }
.answer > div { padding-block: .75rem; border-bottom: 1px solid var(--line); }
.answer > div:first-child { border-top: 1px solid var(--line); }
.answer > div > dt { margin: 0 0 .15rem; }

fieldset { border: 0; padding: 0; min-width: 0; margin: 0; }
.field { margin-block: 0 1.6rem; }
.field > label, legend { display: block; font-weight: 600; margin-bottom: .35rem; padding: 0; }
.dimension { display: block; font-size: .8125rem; font-weight: 500; color: var(--quiet); }
.hint { display: block; margin: 0 0 .4rem; font-size: .9rem; font-weight: 400; color: var(--quiet); }
.option .hint { margin: 0; }
input[type="text"], textarea, select {
  display: block; width: 100%; min-height: 2.9rem; padding: .6rem .75rem; font: inherit; color: inherit;
  background: var(--sheet); border: 1px solid var(--edge); border-radius: .45rem;
}
textarea { line-height: 1.5; resize: vertical; field-sizing: content; min-height: calc(4lh + 1.3rem); max-height: 70vh; }
textarea[rows="2"] { min-height: calc(2lh + 1.3rem); }
textarea[rows="18"] { min-height: calc(12lh + 1.3rem); }
textarea.fitted { min-height: 2.9rem; }
.short { max-width: 14rem; }
.options { display: grid; gap: .5rem; }
.option {
  display: flex; gap: .75rem; align-items: flex-start; padding: .7rem .9rem; min-height: 2.9rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: .45rem;
}
.option:hover { border-color: var(--edge); }
.option:has(:checked):not(.none) { border-color: var(--accent); background: var(--tint); box-shadow: inset 0 0 0 1px var(--accent); }
.option input { flex: none; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--accent); }
.group { margin-block: 0 1.75rem; padding: 1.1rem 1rem .25rem; border: 1px solid var(--line); border-radius: .5rem; }
.group > legend { margin: 0; padding-inline: .4rem; margin-inline-start: -.4rem; }
.group .entry { margin-block: .75rem 1rem; }
.group.entry { margin: 0; }
.entry > .group { margin-bottom: .5rem; }
.entry > .field { margin-bottom: .5rem; }
.remove { display: inline-flex; gap: .5rem; align-items: center; min-height: 2rem; font-size: .875rem; color: var(--quiet); cursor: pointer; }
.remove input { width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--wrong); }
.entry:has(.remove :checked) > :not(.remove) { opacity: .45; }
.fold { margin-block: 0 1.6rem; }
.fold > .group { border: 0; margin: 0; padding-block: .5rem; }
.edit { margin-block: 0 1.6rem; }
.edit > .group, .edit > .group > .group { border: 0; padding-inline: 0; }
.edit > .group { margin: 0; padding: .75rem 1rem 0; }
.edit > .group > .group { margin-bottom: .75rem; padding-block: .5rem 0; }
.edit > .field { padding-block: 1rem; margin: 0; }
button { font: inherit; font-weight: 600; min-height: 2.9rem; padding: .6rem 1.4rem; border-radius: .45rem; cursor: pointer; }
.primary { color: var(--accent-ink); background: var(--accent); border: 1px solid var(--accent); }
.primary:hover { filter: brightness(1.08); }
.secondary { color: var(--accent); background: transparent; border: 1px solid var(--edge); margin-bottom: 1rem; padding-inline: 1rem; }
.secondary:hover { background: var(--tint); }
@media (max-width: 30rem) { .primary { width: 100%; } }

.wrong { border-inline-start: 4px solid var(--wrong); padding-inline-start: 1rem; }
.field-error { color: var(--wrong); font-weight: 600; margin: 0 0 .4rem; }
.wrong input[type="text"], .wrong textarea, .wrong select { border-color: var(--wrong); }
.summary, .notice { padding: 1rem 1.2rem; border-radius: .5rem; margin-bottom: 1.6rem; border: 1px solid var(--line); border-inline-start-width: 5px; }
.summary { border-color: var(--wrong); background: var(--wrong-tint); }
.summary h3 { margin-bottom: .4rem; }
.summary ul { margin: 0; }
.summary a { color: var(--wrong); font-weight: 600; }
.notice h1 { margin-bottom: .35rem; }
.notice p { margin: 0; }
.success { border-color: var(--good); background: var(--good-tint); }
.warning { border-color: var(--wrong); background: var(--wrong-tint); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.summary:focus, fieldset:focus { outline: 3px solid var(--accent); outline-offset: 2px; }
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print { body { background: none; } form { display: none; } }
`;
