import { createGuideFilePages } from "../../guide-file-page.tsx";

/** Shows a guide from its Markdown file. */
const { generateMetadata, Page } = createGuideFilePages("");

export { generateMetadata, Page as default };
