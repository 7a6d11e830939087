// Highlights the visible operation or section in the contents.
const links = new Map();
for (const link of document.querySelectorAll('#contents a[href*="#"]')) {
  const to = new URL(link.href);
  if (to.pathname === location.pathname) links.set(decodeURIComponent(to.hash.slice(1)), link);
}
const spied = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);

function mark() {
  // The last section that begins above the upper third; at the end of the page, the very last one.
  const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const above = spied.filter((one) => one.getBoundingClientRect().top < innerHeight / 3);
  const current = isEnd ? spied.at(-1) : above.at(-1);
  for (const [id, link] of links) {
    if (id !== current?.id) link.removeAttribute('aria-current');
    else if (!link.hasAttribute('aria-current')) {
      link.setAttribute('aria-current', 'location');
      show(link);
    }
  }
}

/** Scrolls only the contents, not the page. */
function show(link) {
  const frame = document.getElementById('contents');
  const place = link.getBoundingClientRect();
  const room = frame.getBoundingClientRect();
  if (place.top < room.top || place.bottom > room.bottom) {
    frame.scrollTop += place.top - room.top - room.height / 2;
  }
}

if (spied.length > 0) {
  let isAsked = false;
  const soon = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      mark();
    });
  };
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon);
  soon();
}
