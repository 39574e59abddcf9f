import { type Brand, escapeHtml, renderPlainDocument } from "../../http/plain-page.ts";
import { pageResponse } from "../../site/answer-login.ts";

/**
 * Replaces NextAuth's own page at its sign-out URL. Works without scripts.
 * @param csrf NextAuth's response with this browser's CSRF token and cookies
 */
export async function renderSignOutPage(csrf: Response, brand: Brand): Promise<Response> {
  const { csrfToken } = await csrf.json();
  const page = pageResponse(
    renderPlainDocument(
      `Sign out of ${brand.name}?`,
      `<p>You will be signed out in this browser. Your other browsers stay signed in.</p>
<form method="post" action="/api/auth/signout">
<input type="hidden" name="csrfToken" value="${escapeHtml(String(csrfToken))}">
<button type="submit">Sign out</button>
<a class="plain" href="/">Stay signed in</a>
</form>`,
      brand,
    ),
  );
  for (const cookie of csrf.headers.getSetCookie()) page.headers.append("Set-Cookie", cookie);
  return page;
}
