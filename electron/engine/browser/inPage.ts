// What runs inside a page, as text: the engine has no types of a page, and no page gets more than these lines.

/** On an element: a CSS path that finds it again, and where it is. */
export const describeElement = `function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  if (!element) return null;
  const parts = [];
  for (let at = element; at && at.nodeType === 1; at = at.parentElement) {
    const tag = at.localName;
    if (at.id && document.querySelectorAll('#' + CSS.escape(at.id)).length === 1) { parts.unshift('#' + CSS.escape(at.id)); break; }
    const same = at.parentElement ? [...at.parentElement.children].filter((one) => one.localName === tag) : [at];
    parts.unshift(same.length > 1 ? tag + ':nth-of-type(' + (same.indexOf(at) + 1) + ')' : tag);
  }
  const selector = parts.join(' > ');
  const { x, y, width, height } = element.getBoundingClientRect();
  const isOwn = document.querySelector(selector) === element && window === window.top;
  return { selector: isOwn ? selector : '', rect: { x, y, width, height } };
}`;

/** What has the focus, also within shadow roots: nothing, something to type into, something else, or a frame. */
export const focusKind = `() => {
  let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body || at === document.documentElement) return at && at.isContentEditable ? 'editable' : 'none';
  if (at.localName === 'iframe' || at.localName === 'frame') return 'frame';
  if (at.isContentEditable) return 'editable';
  if (at.disabled || at.readOnly) return 'fixed';
  if (at.localName === 'textarea' || at.localName === 'select') return 'editable';
  const plain = ['button', 'submit', 'reset', 'checkbox', 'radio', 'file', 'image', 'color', 'range', 'hidden'];
  return at.localName === 'input' && !plain.includes(at.type) ? 'editable' : 'fixed';
}`;

/** The element at a point of the view, in a few words. */
export const elementAt = `([x, y]) => {
  const at = document.elementFromPoint(x, y);
  if (!at) return null;
  const said = (at.getAttribute('aria-label') || at.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, 80);
  return at.localName + (at.id ? '#' + at.id : '') + (said ? ' "' + said + '"' : '');
}`;

export const pageSize = `() => ({
  width: document.documentElement.scrollWidth,
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0),
})`;
