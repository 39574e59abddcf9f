import { createGuideFilePages } from "../../guide-file-page.tsx";

/** The record of a decision, from its Markdown file. */
const { generateMetadata, Page } = createGuideFilePages("decisions/");

export { generateMetadata, Page as default };
