import { DatabaseSync } from "node:sqlite";
import { migrate, type Migration } from "../../src/node/migrate.ts";

/** Tables whose rows the code reads whole, with the names of their types. */
const ROW_TYPES: Record<string, string> = {
  tenants: "TenantRow",
  keys: "KeyRow",
  provider_keys: "ProviderKeyRow",
  audit_log: "AuditRow",
  idempotency_keys: "IdempotencyRow",
  runs: "RunRow",
  stages: "StageRow",
  run_trees: "RunTreeRow",
  run_ends: "RunEndRow",
  artifacts: "ArtifactRow",
  interactions: "InteractionRow",
  events: "EventRow",
  webhook_endpoints: "EndpointRow",
  webhook_messages: "MessageRow",
  deliveries: "DeliveryRow",
  delivery_attempts: "AttemptRow",
  corpora: "StoredCorpusRow",
  documents: "DocumentRow",
  uploads: "StoredUploadRow",
  datasets: "DatasetRow",
  dataset_items: "DatasetItemRow",
  agents: "AgentRow",
  templates: "TemplateRow",
  schedules: "ScheduleRow",
  occurrences: "OccurrenceRow",
  budgets: "BudgetRow",
};

/** Where the types come from that comments of columns name in braces. */
const IMPORTS = {
  "#core/events": ["MessageType"],
  "#core/vocabulary": ["DeliveryType", "DisabledBecause", "EventType", "RunStatus"],
};

/** A table, view, index or trigger, as SQLite keeps it. */
interface SchemaObject {
  type: string;
  name: string;
  tbl_name: string;
  sql: string;
}

/** A column or constraint in the parentheses of CREATE TABLE. */
interface Definition {
  /** Without a trailing comma or comment. */
  code: string;
  /** At its end, or within it. */
  comment: string;
  /** Comment lines above it, which head the definitions that follow. */
  heading: string;
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

/** What migrations make. */
interface Schema {
  /** Tables, views, indexes and triggers, in the order of their creation. */
  objects: SchemaObject[];
  /** Comments in the migrations: those directly above a statement, by its name; those of columns, by `table.column`, and the headings above these. */
  comments: Map<string, string>;
  columnsOf(table: string): Map<string, Column>;
}

/** The schema that migrations make, as SQL, and the types of its rows, as TypeScript. */
export function generate(migrations: readonly Migration[]): { sql: string; types: string } {
  const database = new DatabaseSync(":memory:");
  migrate(database, migrations);
  const query = <Row>(sql: string): Row[] => database.prepare(sql).all() as Row[];
  const schema: Schema = {
    objects: query(`SELECT type, name, tbl_name, sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`),
    comments: commentsOf(migrations.map(([, sql]) => sql).join("\n")),
    columnsOf: (table) => new Map(query<Column>(`PRAGMA table_xinfo(${table})`).map((column) => [column.name, column])),
  };
  const generated = { sql: schemaSql(schema), types: rowTypes(schema) };
  database.close();
  return generated;
}

function commentsOf(sql: string): Map<string, string> {
  const above = sql.matchAll(/((?:^--.*\n)+)CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|VIEW|TRIGGER) (\w+)/gm);
  const tables = [...sql.matchAll(/^CREATE TABLE (\w+) \([^]*?^\).*;$/gm)];
  const added = sql.matchAll(/^ALTER TABLE (\w+) ADD COLUMN (\w+) .*; -- (.*)$/gm);
  return new Map([
    ...[...above].map(([, comment, name]): [string, string] => [name!, comment!]),
    ...tables.flatMap(([statement, table]) =>
      split(statement).flatMap((definition): [string, string][] => [
        [`${table}.${nameOf(definition)}`, definition.comment],
        [`${table}.${nameOf(definition)} heading`, definition.heading],
      ]),
    ),
    ...[...added].map(([, table, column, comment]): [string, string] => [`${table}.${column}`, comment!]),
  ]);
}

/** The definitions of a table. SQLite writes an added column before the comment of the one above: comments are those of the migrations. */
function definitionsOf({ comments }: Schema, { name: table, sql }: SchemaObject): Definition[] {
  return split(sql).map((definition) => ({
    ...definition,
    comment: comments.get(`${table}.${nameOf(definition)}`) ?? "",
    heading: comments.get(`${table}.${nameOf(definition)} heading`) ?? "",
  }));
}

/** The definitions in the parentheses of CREATE TABLE. */
function split(sql: string): Definition[] {
  const definitions: Definition[] = [];
  let current: Definition = { code: "", comment: "", heading: "" };
  let depth = 0;
  let isNewLine = true;
  const end = () => {
    current.code = current.code.trim();
    definitions.push(current);
    current = { code: "", comment: "", heading: "" };
  };
  for (const [token] of sql
    .slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"))
    .matchAll(/--.*|'(?:[^']|'')*'|[(),\n]|[^-'(),\n]+|-/g)) {
    const isComment = token.startsWith("--");
    const text = token.slice(3).trim();
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (isComment && current.code.trim()) current.comment = `${current.comment} ${text}`.trim();
    if (isComment && !current.code.trim() && isNewLine) current.heading = `${current.heading} ${text}`.trim();
    if (isComment && !current.code.trim() && !isNewLine) definitions.at(-1)!.comment = text;
    if (token === "," && depth === 0) end();
    else if (!isComment || depth > 0) current.code += token;
    isNewLine = token === "\n" || (isNewLine && token.trim() === "");
  }
  end();
  return definitions;
}

function nameOf({ code }: Definition): string {
  return /^\w+/.exec(code)![0];
}

/** Each table and view with its indexes and triggers, a column a line. */
function schemaSql(schema: Schema): string {
  const { objects } = schema;
  const parts = objects
    .filter(({ type }) => type === "table" || type === "view")
    .map((object) => {
      const own = objects.filter(({ type, tbl_name }) => type !== object.type && tbl_name === object.name);
      return [object, ...own].map((one) => statementSql(schema, one)).join("\n");
    });
  return `-- The tables that the migrations make together. Generated by \`npm run schema\`: do not edit.\n\n${parts.join("\n\n")}\n`;
}

function statementSql(schema: Schema, object: SchemaObject): string {
  const { type, name, sql } = object;
  const isPlainTable = type === "table" && sql.startsWith("CREATE TABLE");
  const code = isPlainTable ? tableSql(schema, object) : sql;
  return `${type === "trigger" ? "\n" : ""}${schema.comments.get(name) ?? ""}${code};`;
}

function tableSql(schema: Schema, table: SchemaObject): string {
  const definitions = definitionsOf(schema, table);
  const lines = definitions.map(({ code, comment, heading }, at) => {
    const above = heading && `  -- ${heading}\n`;
    const after = comment && !code.includes("--") ? ` -- ${comment}` : "";
    return `${above}  ${code}${at < definitions.length - 1 ? "," : ""}${after}`;
  });
  return `CREATE TABLE ${table.name} (\n${lines.join("\n")}\n${table.sql.slice(table.sql.lastIndexOf(")"))}`;
}

function rowTypes(schema: Schema): string {
  const interfaces = schema.objects.filter(({ name }) => ROW_TYPES[name]).map((table) => rowType(schema, table));
  const imports = Object.entries(IMPORTS).map(
    ([module, names]) => `import type { ${names.join(", ")} } from "${module}";`,
  );
  const head = [
    "// Generated by `npm run schema` from the migrations: do not edit.",
    ...imports,
    "",
    "/** Rows as they are stored in D1: times in milliseconds, JSON as text. */",
  ].join("\n");
  return `${[head, ...interfaces].join("\n\n")}\n`;
}

function rowType(schema: Schema, table: SchemaObject): string {
  const definitions = definitionsOf(schema, table);
  const columns = schema.columnsOf(table.name);
  const lines = definitions.flatMap((definition) => {
    const column = columns.get(nameOf(definition));
    if (!column) return [];
    const { annotated, text } = /^(?:\{(?<annotated>[^}]*)\} ?)?(?<text>.*)$/.exec(definition.comment)!.groups!;
    if (annotated === "sql") return [];
    const type = annotated ?? choicesOf(definition) ?? (column.type === "TEXT" ? "string" : "number");
    const isNullable = column.notnull === 0 && column.pk === 0;
    return [
      ...(definition.heading ? [`  // ${definition.heading}`] : []),
      ...(text ? [doc(text, "  ")] : []),
      `  ${column.name}: ${type}${isNullable ? " | null" : ""};`,
    ];
  });
  const about = schema.comments.get(table.name)?.replaceAll(/^-- ?/gm, "").trim().replaceAll("\n", " ");
  return `${about ? `${doc(about)}\n` : ""}export interface ${ROW_TYPES[table.name]} {\n${lines.join("\n")}\n}`;
}

/** The values that a column's CHECK permits. */
function choicesOf({ code }: Definition): string | undefined {
  const list = /CHECK \(\w+ IN \((?<list>[^)]*)\)\)/.exec(code)?.groups!.list;
  return list
    ?.replaceAll(/'([^']*)'/g, '"$1"')
    .split(", ")
    .join(" | ");
}

/** A comment as JSDoc, in lines of at most 120 characters. */
function doc(comment: string, indent = ""): string {
  const end = /[.:]$/.test(comment) ? "" : ".";
  const text = `${comment[0]!.toUpperCase()}${comment.slice(1)}${end}`.replaceAll("NULL", "null");
  if (indent.length + text.length <= 113) return `${indent}/** ${text} */`;
  const lines = text.match(new RegExp(`.{1,${117 - indent.length}}(?: |$)`, "g"))!;
  return [`/**`, ...lines.map((line) => ` * ${line.trim()}`), " */"].map((line) => indent + line).join("\n");
}
