import { guideFilePages } from "../../guide-file-page.tsx";

/** The record of a decision, from its Markdown file. */
const { generateMetadata, Page } = guideFilePages("decisions/");

export { generateMetadata, Page as default };
