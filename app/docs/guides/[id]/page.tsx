import { createGuideFilePages } from "../../guide-file-page.tsx";

const { generateMetadata, Page } = createGuideFilePages("");

export { generateMetadata, Page as default };
