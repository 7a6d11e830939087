// Highlights the visible operation or section in the contents.
const links = new Map();
for (const link of document.querySelectorAll('#contents a[href*="#"]')) {
  const url = new URL(link.href);
  if (url.pathname === location.pathname) links.set(decodeURIComponent(url.hash.slice(1)), link);
}
const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);

function highlightCurrent() {
  // The last section that begins above the upper third; at the end of the page, the very last one.
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const above = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3);
  const current = isAtEnd ? sections.at(-1) : above.at(-1);
  for (const [id, link] of links) {
    if (id !== current?.id) link.removeAttribute('aria-current');
    else if (!link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'location');
      scrollToLink(link);
    }
  }
}

/** Scrolls only the contents, not the page. */
function scrollToLink(link) {
  const frame = document.getElementById('contents');
  const linkBounds = link.getBoundingClientRect();
  const frameBounds = frame.getBoundingClientRect();
  if (linkBounds.top < frameBounds.top || linkBounds.bottom > frameBounds.bottom) {
    frame.scrollTop += linkBounds.top - frameBounds.top - frameBounds.height / 2;
  }
}

if (sections.length > 0) {
  let isScheduled = false;
  const scheduleUpdate = () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      highlightCurrent();
    });
  };
  addEventListener('scroll', scheduleUpdate, { passive: true });
  addEventListener('resize', scheduleUpdate);
  scheduleUpdate();
}
