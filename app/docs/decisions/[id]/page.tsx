import { createGuideFilePages } from "../../guide-file-page.tsx";

/** Shows a decision record from its Markdown file. */
const { generateMetadata, Page } = createGuideFilePages("decisions/");

export { generateMetadata, Page as default };
