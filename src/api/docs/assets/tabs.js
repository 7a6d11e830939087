// The languages of samples as tabs. Without a script, all of them are visible.
const storageKey = 'docs-language';

/** Returns null if the storage is disabled. */
function withStorage(work) {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
}

function choose(language) {
  for (const group of document.querySelectorAll('.samples')) {
    const samples = [...group.querySelectorAll('.sample')];
    const chosen = samples.find(({ dataset }) => dataset.language === language) ?? samples[0];
    for (const sample of samples) sample.hidden = sample !== chosen;
    for (const tab of group.querySelectorAll('[role=tab]')) {
      const isChosen = tab.dataset.language === chosen.dataset.language;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }
}

for (const group of document.querySelectorAll('.samples')) {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  for (const sample of group.querySelectorAll('.sample')) {
    const { language } = sample.dataset;
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.dataset.language = language;
    tab.textContent = language;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', sample.id);
    sample.setAttribute('role', 'tabpanel');
    sample.setAttribute('aria-label', language);
    tab.addEventListener('click', () => {
      // The content above the tabs must not move: other operations change their height too.
      const before = list.getBoundingClientRect().top;
      choose(language);
      scrollBy({ top: list.getBoundingClientRect().top - before, behavior: 'instant' });
      withStorage((storage) => storage.setItem(storageKey, language));
    });
    list.append(tab);
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...list.children];
    const next = tabs.at((tabs.indexOf(event.target) + step) % tabs.length);
    next.click();
    next.focus();
  });
  group.prepend(list);
}
choose(withStorage((storage) => storage.getItem(storageKey)) ?? 'curl');
