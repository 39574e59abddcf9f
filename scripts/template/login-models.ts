import { readLoginTableMigrations } from "../../packages/login/database/login-tables.ts";

const HEADER = `/// The tables of @svc/login, to read them with Prisma's client. Copy this file next to a schema whose data source has
/// \`schemas = ["public", "svc_login"]\`. The login creates, migrates and writes these tables itself.
`;

const BLOCK = /(?:^\/\/\/.*\n)*^(?:model|enum) (\w+) \{\n[^}]*@@map\("(\w+)"\)\n\}\n/gm;
/** A column, relation or enum value, with its comment. */
const MEMBER = /((?:^ {2}\/\/\/.*\n)*)^ {2}(\w+)(?: +(\w+)(.*))?\n/gm;

/**
 * Named `Login…` and in the schema `svc_login`. Contains only the tables, columns and values that the package's
 * migrations contain.
 * @param applicationSchema the text of prisma/schema.prisma
 */
export function generateLoginModels(applicationSchema: string): string {
  const sql = readLoginTableMigrations()
    .map((migration) => migration.sql)
    .join("\n");
  const blocks = [...applicationSchema.matchAll(BLOCK)].map(([text, name = "", table = ""]) => ({
    text,
    name,
    table,
  }));
  const packaged = blocks.filter(({ table }) => new RegExp(`CREATE (TABLE|TYPE) ${table}\\b`).test(sql));
  const renamed = new Map(packaged.map(({ name }) => [name, name.replace(/^(Login)?/, "Login")]));
  const isPackaged = (name: string, type = "", rest = "") =>
    blocks.some((block) => block.name === type)
      ? renamed.has(type)
      : new RegExp(`\\b${/@map\("(\w+)"\)/.exec(rest)?.[1] ?? name}\\b`).test(sql);

  const members = (line: string, comment: string, name: string, type?: string, rest = "") => {
    if (!isPackaged(name, type, rest)) return "";
    if (type === undefined) return line;
    // Sites only read these tables, so the models need no default ids.
    const attributes = rest.replaceAll(/ +/g, " ").replace(" @default(uuid(7))", "");
    return `${comment}  ${name} ${renamed.get(type) ?? type}${attributes}\n`;
  };
  return [
    HEADER,
    ...packaged.map(({ text, name, table }) =>
      text
        .replaceAll(MEMBER, members)
        .replace(/^(model|enum) \w+/m, `$1 ${renamed.get(name)}`)
        .replace(`@@map("${table}")`, `$&\n  @@schema("svc_login")`),
    ),
  ].join("\n");
}
