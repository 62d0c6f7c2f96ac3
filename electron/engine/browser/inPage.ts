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

/** The element at a point of the view, in a few words: inside shadow trees, and frames of the same origin. */
export const elementAt = `([x, y]) => {
  let at = document.elementFromPoint(x, y);
  for (let depth = 0; at && depth < 20; depth += 1) {
    let inner = null;
    if (at.shadowRoot) inner = at.shadowRoot.elementFromPoint(x, y);
    else if (at.localName === 'iframe' && at.contentDocument) {
      const box = at.getBoundingClientRect();
      x -= box.left + at.clientLeft;
      y -= box.top + at.clientTop;
      inner = at.contentDocument.elementFromPoint(x, y);
    }
    if (!inner || inner === at) break;
    at = inner;
  }
  if (!at) return null;
  const said = (at.getAttribute('aria-label') || at.innerText || '').trim().replace(/\\s+/g, ' ').slice(0, 80);
  return at.localName + (at.id ? '#' + at.id : '') + (said ? ' "' + said + '"' : '');
}`;

export const pageSize = `() => ({
  width: document.documentElement.scrollWidth,
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0),
})`;

/** Scrolls the page at once, whatever its style says of smoothness, and tells where it is then. */
export const scrollBy = `([x, y]) => {
  window.scrollBy({ left: x, top: y, behavior: 'instant' });
  return { x: Math.round(window.scrollX), y: Math.round(window.scrollY) };
}`;

/** The page as Markdown: what can be seen, as far as \`limit\` characters (one more tells that there is more). */
export const markdownOfPage = `(limit) => {
  const skipped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'canvas', 'iframe', 'object', 'head']);
  const blocks = new Set(['p', 'div', 'section', 'article', 'main', 'header', 'footer', 'nav', 'aside', 'form', 'figure', 'table', 'dl', 'dt', 'dd', 'fieldset', 'address', 'details', 'summary', 'body']);
  const isHidden = (element) => { const style = getComputedStyle(element); return style.display === 'none' || style.visibility === 'hidden'; };
  const plain = (text) => text.replace(/\\s+/g, ' ');
  let size = 0;
  const inner = (node, depth) => { let text = ''; for (const child of node.childNodes) { if (size > limit) break; text += walk(child, depth); } return text; };
  const walk = (node, depth) => {
    if (node.nodeType === 3) { const text = plain(node.nodeValue || ''); size += text.length; return text; }
    if (node.nodeType !== 1 || skipped.has(node.localName) || depth > 200 || isHidden(node)) return '';
    const tag = node.localName;
    if (/^h[1-6]$/.test(tag)) return '\\n\\n' + '#'.repeat(Number(tag[1])) + ' ' + inner(node, depth + 1).trim() + '\\n\\n';
    if (tag === 'br') return '\\n';
    if (tag === 'hr') return '\\n\\n---\\n\\n';
    if (tag === 'pre') { size += node.innerText.length; return '\\n\\n\`\`\`\\n' + node.innerText.replace(/\\n$/, '') + '\\n\`\`\`\\n\\n'; }
    if (tag === 'code') return '\`' + inner(node, depth + 1).trim() + '\`';
    if (tag === 'strong' || tag === 'b') { const text = inner(node, depth + 1).trim(); return text ? '**' + text + '**' : ''; }
    if (tag === 'em' || tag === 'i') { const text = inner(node, depth + 1).trim(); return text ? '*' + text + '*' : ''; }
    if (tag === 'a') { const text = inner(node, depth + 1).trim(); return node.href && text ? '[' + text + '](' + node.href + ')' : text; }
    if (tag === 'img') return node.alt ? '![' + plain(node.alt) + '](' + (node.src.startsWith('data:') ? '' : node.src) + ')' : '';
    if (tag === 'ul' || tag === 'ol') {
      let number = 0;
      const rows = [...node.children].filter((one) => one.localName === 'li').map((one) => { number += 1; return (tag === 'ol' ? number + '. ' : '- ') + inner(one, depth + 1).trim().replace(/\\n+/g, '\\n  '); });
      return '\\n\\n' + rows.join('\\n') + '\\n\\n';
    }
    if (tag === 'blockquote') return '\\n\\n' + inner(node, depth + 1).trim().split('\\n').map((line) => '> ' + line).join('\\n') + '\\n\\n';
    if (tag === 'tr') return '\\n| ' + [...node.children].map((cell) => inner(cell, depth + 1).trim().replace(/\\s*\\n\\s*/g, ' ')).join(' | ') + ' |';
    if (tag === 'input' || tag === 'textarea' || tag === 'select') return node.type === 'password' || node.type === 'hidden' ? '' : '[' + (node.value || node.placeholder || node.type || tag) + ']';
    const text = inner(node, depth + 1);
    return blocks.has(tag) ? '\\n\\n' + text.trim() + '\\n\\n' : text;
  };
  const text = document.body ? walk(document.body, 0) : '';
  return text.split('\\n').map((line) => line.replace(/[ \\t]+$/, '')).join('\\n').replace(/\\n{3,}/g, '\\n\\n').trim().slice(0, limit + 1);
}`;
