/**
 * One entry of `packages` in package-lock.json.
 * @typedef {{
 *   name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean, inBundle?: boolean,
 *   optionalDependencies?: Record<string, string>,
 * }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lockfile
 */

const FOLDER = "node_modules/";

/**
 * Links and folders of workspaces are local, a bundled package arrives inside its parent's tarball, and a git dependency is pinned by
 * its commit. Everything else is downloaded as a tarball.
 * @param {string} location the entry's key, for example `node_modules/a/node_modules/b`
 * @param {Entry} entry
 */
function isDownloaded(location, entry) {
  if (entry.link || entry.inBundle || !`/${location}`.includes(`/${FOLDER}`)) return false;
  return !/^(file:|git[+:])/.test(entry.resolved ?? "");
}

/** `name@version`; an alias has its real name in `name`. */
function specOf(location, entry) {
  return `${entry.name ?? location.slice(location.lastIndexOf(FOLDER) + FOLDER.length)}@${entry.version}`;
}

/**
 * The downloaded packages whose content npm cannot check.
 * @param {Lockfile} lockfile
 * @returns {{ location: string, spec: string }[]} spec is `name@version`
 */
export function withoutIntegrity({ packages }) {
  return Object.entries(packages)
    .filter(([location, entry]) => isDownloaded(location, entry) && !entry.integrity)
    .map(([location, entry]) => ({ location, spec: specOf(location, entry) }));
}

/** The folders in which node looks for a package that the package at `location` imports, nearest first. */
function searchPath(location) {
  const folders = [];
  for (let at = location; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    if (!at.endsWith("node_modules")) folders.push(`${at}/${FOLDER}`);
  }
  return [...folders, FOLDER];
}

/**
 * Optional dependencies that have no entry, so that other platforms would not install them. npm leaves such an entry out without a
 * word when the registry does not serve the version.
 * @param {Lockfile} lockfile
 * @returns {{ location: string, name: string }[]} location is that of the package which has the dependency
 */
export function withoutEntry({ packages }) {
  return Object.entries(packages).flatMap(([location, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !searchPath(location).some((folder) => packages[folder + name]))
      .map((name) => ({ location, name })),
  );
}

/**
 * The lockfile with the missing integrity of packages from a registry. A package that was downloaded from another address
 * (`resolved`) stays as it is, since the registry's package of that name may be another one.
 * @param {Lockfile} lockfile
 * @param {(spec: string) => string | undefined} lookUp the integrity of `name@version`, undefined where the registry has no such version
 * @returns {Lockfile}
 */
export function fillIntegrity(lockfile, lookUp) {
  const missing = withoutIntegrity(lockfile).filter(({ location }) => !lockfile.packages[location].resolved);
  const found = new Map([...new Set(missing.map(({ spec }) => spec))].map((spec) => [spec, lookUp(spec)]));
  const packages = { ...lockfile.packages };
  for (const { location, spec } of missing) {
    const { name, version, ...rest } = packages[location];
    packages[location] = { name, version, integrity: found.get(spec), ...rest };
  }
  return { ...lockfile, packages };
}
