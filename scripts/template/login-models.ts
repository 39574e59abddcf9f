import { VERSIONS } from "../../packages/login/site/tables.ts";

const HEADER = `/// The tables of @svc/login, to read them with Prisma's client. Copy this file beside a schema whose data source has
/// \`schemas = ["public", "svc_login"]\`. The login creates, migrates and writes these tables itself.
`;

/** A model that only the package has: the application's users have no id besides the login's. */
const SITE_USER = `
/// The id that the site has given to a user (\`findOrCreateUser\`). Never changes.
model SiteUser {
  userId Int @id @map("user_id")
  user User @relation(fields: [userId], references: [id], onDelete: Cascade)
  siteId String @map("site_id")
  createdAt DateTime @map("created_at") @db.Timestamptz(3)

  @@map("site_user")
}
`;

const BLOCK = /(?:^\/\/\/.*\n)*^(?:model|enum) (\w+) \{\n[^}]*@@map\("(\w+)"\)\n\}\n/gm;
/** A column, relation or value, with its comment. */
const MEMBER = /((?:^ {2}\/\/\/.*\n)*)^ {2}(\w+)(?: +(\w+)(.*))?\n/gm;

/**
 * The package's tables as Prisma models for a site, named `Login…` and in the schema `svc_login`. From the
 * application's schema it takes the tables, columns and values that the package's migrations name.
 * @param applicationSchema the text of prisma/schema.prisma
 */
export function loginModels(applicationSchema: string): string {
  const sql = VERSIONS.join("\n");
  const schema =
    applicationSchema.replace(/^model User \{[^}]*?\n(?=\n)/m, "$&  siteUser SiteUser?\n") + SITE_USER;
  const blocks = [...schema.matchAll(BLOCK)].map(([text, name = "", table = ""]) => ({ text, name, table }));
  const packaged = blocks.filter(({ table }) => new RegExp(`CREATE (TABLE|TYPE) ${table}\\b`).test(sql));
  const renamed = new Map(packaged.map(({ name }) => [name, name.replace(/^(Login)?/, "Login")]));
  const isPackaged = (name: string, type = "", rest = "") =>
    blocks.some((block) => block.name === type)
      ? renamed.has(type)
      : new RegExp(`\\b${/@map\("(\w+)"\)/.exec(rest)?.[1] ?? name}\\b`).test(sql);

  const members = (line: string, comment: string, name: string, type?: string, rest = "") => {
    if (!isPackaged(name, type, rest)) return "";
    if (type === undefined) return line;
    // Sites only read these tables, so they need no default ids.
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
