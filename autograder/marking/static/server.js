// The page's requests to the server. A failed request throws an Error with a sentence for the grader; the error is
// `stale` if the page is out of date.

/** @type {Marking.Settings} */
export const settings = JSON.parse(document.getElementById("settings").textContent);
const { base, lesson, question } = settings;
const address = `${base}essays/api/${encodeURIComponent(lesson)}/${encodeURIComponent(question)}/`;

const you = document.getElementById("you");

/** The name of the person who marks: what the server knows, or the initials in the page. */
export const grader = () => (settings.named || !you ? settings.grader : you.value.trim() || settings.grader);

/**
 * A text in the page's language, with values in place of {names}. The server finds the texts in these scripts.
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function say(text, values = {}) {
  return (settings.words[text] ?? text).replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}

/**
 * A number as people write it: 0.5, not 0.500.
 *
 * @param {number} number
 */
export function points(number) {
  return String(Math.round(number * 1000) / 1000);
}

/**
 * @param {string} what
 * @param {Record<string, string>} query
 */
export async function get(what, query = {}) {
  const search = new URLSearchParams(query).toString();
  return await contentOf(fetch(address + what + (search && `?${search}`), { headers: { Accept: "application/json" } }));
}

/**
 * @param {string} what
 * @param {object} body
 * @param {RequestInit} options
 */
export async function put(what, body, options = {}) {
  const headers = { "Content-Type": "application/json", "X-XSRFToken": settings.xsrf };
  return await contentOf(fetch(address + what, { method: "PUT", headers, body: JSON.stringify(body), ...options }));
}

/**
 * The content of the server's answer. Throws the answer's sentence if the request failed.
 *
 * @param {Promise<Response>} request
 */
async function contentOf(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Error(say("the server does not answer"));
  }
  const content = await response.json().catch(() => ({ error: String(response.status) }));
  if (!response.ok) throw Object.assign(new Error(content.error), { stale: response.status === 409 });
  return content;
}
