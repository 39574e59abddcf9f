import { guideFilePages } from "../../guide-file-page.tsx";

/** A guide, from its Markdown file. */
const { generateMetadata, Page } = guideFilePages("");

export { generateMetadata, Page as default };
