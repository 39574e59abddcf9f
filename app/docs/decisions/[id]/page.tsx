import { createGuideFilePages } from "../../guide-file-page.tsx";

/** A decision record, from its Markdown file. */
const { generateMetadata, Page } = createGuideFilePages("decisions/");

export { generateMetadata, Page as default };
