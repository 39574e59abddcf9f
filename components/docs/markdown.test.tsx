import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { parseGuide } from "#lib/guides/parse-guide.ts";
import { Markdown } from "./markdown.tsx";

test("uses the anchor of a table row or a paragraph as its id and drops all other HTML", () => {
  const { blocks } = parseGuide(
    '# Title\n\n| check | text |\n|---|---|\n| <a id="11-nonce"></a>`1.1-nonce` | <b onclick="x()">bold</b> |\n\n<a id="tests"></a>**Tests**\n',
  );
  const html = renderToStaticMarkup(<Markdown blocks={blocks} anchors={[]} resolveLink={(href) => href} />);
  expect(html).toContain('<tr id="11-nonce"');
  expect(html).toContain('<p id="tests"');
  expect(html).toContain("bold");
  expect(html).not.toMatch(/<b |onclick|<a id/);
});

test("shows code blocks with bold names as tabs, with only the first block visible", () => {
  const { blocks } = parseGuide(
    "# Title\n\n<!-- tabs -->\n\n**Node**\n\n```js\n1\n```\n\n**Python**\n\n```python\n2\n```\n\n```sh\n3\n```\n",
  );
  const html = renderToStaticMarkup(<Markdown blocks={blocks} anchors={[]} resolveLink={(href) => href} />);
  expect(html.match(/role="tab"[^>]*aria-selected="(true|false)"[^>]*>(\w+)/g)).toEqual([
    expect.stringMatching(/"true".*Node$/),
    expect.stringMatching(/"false".*Python$/),
  ]);
  expect(html.match(/role="tabpanel"[^>]*>/g)).toEqual([
    expect.not.stringContaining("hidden"),
    expect.stringContaining("hidden"),
  ]);
  expect(html.match(/<figure/g)).toHaveLength(3);
});
