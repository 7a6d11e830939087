import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import type { Share } from '../../entities/library/share.ts';
import { html } from '../docs/html.ts';
import type { Page } from './page.ts';
import { expiryNotice, formatSize, shareMessage } from './views.ts';

/**
 * Uploads several files one after the other, and shows the progress. Without the script, the form
 * uploads one file. The script creates elements and text, never markup.
 */
const script = `(() => {
const form = document.querySelector('form.drop'), input = form.elements.namedItem('file');
const list = document.querySelector('.files'), who = document.querySelector('#who');
const max = Number(form.dataset.max), queue = [];
let busy = false;
input.multiple = true;
for (const name of ['.here', '.who']) document.querySelector(name).hidden = false;
const show = (row, text, kind) => { row.status.textContent = text; row.status.className = kind; };
const next = () => {
  const row = queue.shift();
  busy = Boolean(row);
  if (!row) return;
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.setRequestHeader('Accept', 'application/json');
  request.setRequestHeader('Content-Type', row.file.type || 'application/octet-stream');
  request.setRequestHeader('X-Filename', encodeURIComponent(row.file.name));
  if (who.value.trim()) request.setRequestHeader('X-Uploader-Name', encodeURIComponent(who.value.trim()));
  request.upload.onprogress = (event) => { row.bar.max = event.total; row.bar.value = event.loaded; };
  request.onload = () => {
    row.bar.remove();
    let detail = 'The upload failed.';
    try { detail = JSON.parse(request.responseText).detail || detail; } catch {}
    if (request.status === 201) show(row, 'Received', 'good'); else show(row, detail, 'bad');
    next();
  };
  request.onerror = () => { row.bar.remove(); show(row, 'The connection was lost. Choose the file again.', 'bad'); next(); };
  show(row, 'Uploading', 'soft');
  request.send(row.file);
};
const add = (files) => {
  for (const file of files) {
    const item = document.createElement('li'), name = document.createElement('div');
    const row = { file, status: document.createElement('div'), bar: document.createElement('progress') };
    name.textContent = file.name;
    row.bar.value = 0;
    row.bar.setAttribute('aria-label', file.name);
    item.append(name, row.bar, row.status);
    list.append(item);
    if (file.size > max) { row.bar.remove(); show(row, 'The file is too large. ' + form.dataset.limit, 'bad'); }
    else { show(row, 'Waiting', 'soft'); queue.push(row); }
  }
  if (!busy) next();
};
input.onchange = () => { add(input.files); input.value = ''; };
form.onsubmit = (event) => { event.preventDefault(); if (!busy) input.click(); };
form.ondragover = (event) => { event.preventDefault(); form.classList.add('over'); };
form.ondragleave = () => form.classList.remove('over');
form.ondrop = (event) => { event.preventDefault(); form.classList.remove('over'); add(event.dataTransfer.files); };
window.onbeforeunload = (event) => { if (busy) event.preventDefault(); };
})()`;

/** The page of a link for uploads. */
export function uploadPage(share: Share, base: string): Page {
  const title = share.title ?? 'Upload files';
  const max = share.maxBytes ?? limits.direct_upload_bytes;
  const limit = `At most ${formatSize(max)} per file.`;
  const remaining = share.maxFiles === null ? null : share.maxFiles - share.uploads;
  return {
    title,
    script,
    head: html`<h1>${title}</h1>${shareMessage(share)}${expiryNotice(share)}`,
    content: html`<form class="drop" method="post" action="${base}/files" enctype="multipart/form-data" data-max="${max}" data-limit="${limit}"><p class="here" hidden>Drop files here, or choose them</p><div class="who" hidden><label for="who">Your name (optional)</label><input id="who" type="text" maxlength="100" autocomplete="name"></div><label for="file">Files</label><input id="file" name="file" type="file" required${
      share.accept.length > 0 && html` accept="${share.accept.join(',')}"`
    } aria-describedby="rules"><p id="rules" class="soft">${limit}${
      share.accept.length > 0 && ` ${describeAccepted(share.accept)}`
    }${remaining !== null && ` ${pluralise(remaining, 'more file')} can be uploaded.`} You cannot see or remove files once they are uploaded.</p><div class="bar"><button>Upload</button></div></form><ul class="files" aria-live="polite"></ul>`,
  };
}

const typeNames: Readonly<Record<string, string>> = {
  'image/*': 'pictures',
  'video/*': 'videos',
  'audio/*': 'sound',
  'text/*': 'text files',
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'text/plain': 'plain text',
  'text/csv': 'CSV',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
};
const listFormat = new Intl.ListFormat('en', { type: 'conjunction' });

/** Returns the media types that a link accepts in words: `Pictures and PDF only.` */
function describeAccepted(accept: readonly string[]): string {
  const names = listFormat.format(accept.map((type) => typeNames[type] ?? type));
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} only.`;
}

/** The page that a browser without scripts shows after an upload. */
export function receivedPage(filename: string, base: string): Page {
  return {
    title: 'Received',
    head: html`<h1>Received</h1><p>${filename}</p>`,
    content: html`<p><a class="button" href="${base}">Upload another file</a></p>`,
  };
}
