import { lang, languages } from "sugar-high/lang";
import { CodeBlock, ColouredCode } from "#components/ui/code.tsx";

/** Coloured on the server. The default label is the language. */
export function CodeSample({
  language = "",
  code,
  label,
}: {
  language?: string;
  code: string;
  label?: string;
}) {
  const grammar = languages.find(({ id }) => id === lang(language))?.config;
  return (
    <CodeBlock label={label ?? LABELS[language] ?? "Text"} code={code}>
      {grammar ? <ColouredCode code={code} grammar={grammar} /> : code}
    </CodeBlock>
  );
}

const LABELS: Record<string, string> = {
  sh: "Shell",
  js: "JavaScript",
  ts: "TypeScript",
  tsx: "TypeScript",
  python: "Python",
  css: "CSS",
  go: "Go",
  json: "JSON",
  http: "HTTP",
  html: "HTML",
  nginx: "nginx",
  sql: "SQL",
  yaml: "YAML",
};
