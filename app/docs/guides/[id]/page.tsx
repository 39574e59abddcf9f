import { createGuideFilePages } from "../../guide-file-page.tsx";

/** A guide, from its Markdown file. */
const { generateMetadata, Page } = createGuideFilePages("");

export { generateMetadata, Page as default };
