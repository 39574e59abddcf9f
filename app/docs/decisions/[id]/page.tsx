import { createGuideFilePages } from "../../guide-file-page.tsx";

const { generateMetadata, Page } = createGuideFilePages("decisions/");

export { generateMetadata, Page as default };
