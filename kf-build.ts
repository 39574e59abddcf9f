import { ensureBuild } from "./scripts/server/ensure-build.ts";
await ensureBuild(process.cwd(), console.log);
