// Optional features of pages: search results while typing, and buttons that copy code.
const search = document.getElementById('search');
const contents = document.getElementById('contents');
const status = document.getElementById('found');
const hitList = document.getElementById('hits');
let controller = new AbortController();
let timer;

search.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => showResults(search.value.trim()), 120);
});

async function showResults(query) {
  controller.abort();
  controller = new AbortController();
  if (query === '') {
    status.textContent = '';
    hitList.replaceChildren();
    return;
  }
  try {
    const address = `/docs/search.json?q=${encodeURIComponent(query)}`;
    const response = await fetch(address, { signal: controller.signal });
    const { results, summary } = await response.json();
    status.textContent = summary;
    hitList.replaceChildren(...results.map(hitItem));
  } catch (error) {
    if (error.name === 'AbortError') return;
    status.textContent = 'The search failed. Press Enter to retry.';
  }
}

function hitItem({ url, title, page }) {
  const link = document.createElement('a');
  const pageName = document.createElement('small');
  const item = document.createElement('li');
  link.href = url;
  pageName.textContent = page;
  link.append(title, pageName);
  item.append(link);
  return item;
}

// On a narrow screen the contents cover the page, so they close when a link is followed.
contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
});

// Ctrl K (or ⌘ K) anywhere, or "/" outside of fields.
document.addEventListener('keydown', (event) => {
  const hasModifier = event.ctrlKey || event.metaKey;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  const isSlash = event.key === '/' && !hasModifier && !isTyping;
  const isCtrlK = event.key.toLowerCase() === 'k' && hasModifier && !event.shiftKey;
  if (event.altKey || !(isSlash || isCtrlK)) return;
  event.preventDefault();
  if (getComputedStyle(contents).display === 'none') contents.showPopover();
  search.focus();
  search.select();
});

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${figure.querySelector('figcaption').textContent}`);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  figure.querySelector('figcaption').append(button);
}
