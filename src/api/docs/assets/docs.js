// What the pages can do without: a filter over the operations, and buttons that copy code.
const filter = document.getElementById('filter');
const contents = document.getElementById('contents');
const found = document.getElementById('found');
const groups = [...contents.querySelectorAll('.operations details')];
const opened = new Map(groups.map((group) => [group, group.open]));

filter.closest('.filter').hidden = false;
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const group of groups) {
    let hits = 0;
    for (const item of group.querySelectorAll('li')) {
      const own = item.dataset.words;
      const fits = words.length === 0 || (own && words.every((word) => own.includes(word)));
      item.hidden = !fits;
      if (fits && own) hits += 1;
    }
    group.parentElement.hidden = hits === 0;
    group.open = words.length > 0 ? hits > 0 : opened.get(group);
    count += hits;
  }
  found.textContent = words.length > 0 ? `${count} found` : '';
});

// On a narrow screen the contents cover the page: they make way for what was chosen.
contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
});

document.addEventListener('keydown', (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (getComputedStyle(contents).display === 'none') contents.showPopover();
  filter.focus();
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
