// Sends requests from the reference page, with the portal session or a pasted key, which is only
// kept in this page's memory.
let described;
let session;
const pasted = { key: '', project: '' };
/** Longer responses are cut here. */
const maxShown = 50_000;
/** How long a stream is read, in milliseconds. */
const maxMs = 30_000;

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property.includes('-') || property === 'for' || property === 'role') {
      made.setAttribute(property, value);
    } else made[property] = value;
  }
  made.append(...children);
  return made;
}

async function readJson(url) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  return response.ok ? response.json() : null;
}

const resolved = (document, value) =>
  typeof value?.$ref === 'string'
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at, name) => at?.[name], document)
    : value;

function operationOf(document, id) {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      if (raw.operationId === id) return { path, method: method.toUpperCase(), raw };
    }
  }
  return null;
}

let fields = 0;
function field(label, control, hint) {
  fields += 1;
  control.id = `try-${fields}`;
  const parts = [element('label', { for: control.id }, label), control];
  if (hint) {
    parts.push(element('small', { id: `${control.id}-hint` }, hint));
    control.setAttribute('aria-describedby', `${control.id}-hint`);
  }
  return element('div', { className: 'try-field' }, ...parts);
}

function inputFor(parameter) {
  const { schema = {} } = parameter;
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map((one) => element('option', { value: one }, String(one)));
    return element('select', {}, ...(parameter.required ? [] : [element('option')]), ...options);
  }
  const input = element('input', { type: 'text', autocomplete: 'off', spellcheck: false });
  if (parameter.required) input.required = true;
  if (parameter.in === 'path') input.placeholder = String(parameter.example ?? '');
  return input;
}

/** The credentials: the portal session, if there is one, or a pasted key. */
function credentials() {
  const key = element('input', { type: 'password', autocomplete: 'off', value: pasted.key });
  const project = element('input', { type: 'text', autocomplete: 'off', value: pasted.project });
  key.addEventListener('input', () => {
    pasted.key = key.value.trim();
  });
  project.addEventListener('input', () => {
    pasted.project = project.value.trim();
  });
  const hint = session
    ? 'Leave empty to use your session of the portal.'
    : 'The key is only kept in this page; it is not stored. Or log in to the portal and reload.';
  return element(
    'div',
    { className: 'try-fields' },
    field('API key', key, hint),
    field('Project', project, session ? `Session: ${session.project_id}` : 'prj_…'),
  );
}

function bodyControl(document, raw) {
  const content = raw.requestBody?.content ?? {};
  const types = Object.keys(content);
  if (types.length === 0) return null;
  const json = types.find((type) => type === 'application/json');
  if (!json) {
    const file = element('input', { type: 'file' });
    return { control: file, label: 'File', type: null, read: () => file.files[0] };
  }
  const [example] = Object.values(content[json].examples ?? {});
  const value = resolved(document, example)?.value;
  const area = element('textarea', { rows: 8, spellcheck: false });
  area.value = value === undefined ? '{}' : JSON.stringify(value, null, 2);
  return { control: area, label: 'Body', type: json, read: () => area.value };
}

function targetOf(path, inputs) {
  let target = path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { parameter, control } of inputs) {
    const value = control.value.trim();
    if (parameter.in === 'path') {
      target = target.replace(`{${parameter.name}}`, encodeURIComponent(value));
    } else if (value !== '' && parameter.in === 'query') query.append(parameter.name, value);
    else if (value !== '' && parameter.in === 'header') headers[parameter.name] = value;
  }
  const search = query.toString();
  return { target: search ? `${target}?${search}` : target, headers };
}

/** The destination and credentials of a request. Requests are only sent to this origin. */
function addressed(target, method, isOpen) {
  if (pasted.key !== '' || isOpen || !session) {
    return {
      url: target,
      credentials: 'omit',
      headers:
        pasted.key === ''
          ? {}
          : {
              Authorization: `Bearer ${pasted.key}`,
              'X-Service-Project-ID': pasted.project,
            },
    };
  }
  return {
    url: `/portal/api${target}`,
    credentials: 'same-origin',
    headers: method === 'GET' ? {} : { 'X-CSRF-Token': session.csrf_token },
  };
}

async function readSome(response, stop) {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|xml|csv/.test(type)) {
    const bytes = (await response.arrayBuffer()).byteLength;
    return bytes === 0 ? '' : `[${bytes} bytes of ${type || 'an unknown type'}]`;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true }));
    if (done) break;
    text += decoder.decode(value, { stream: true });
    if (text.length > maxShown) {
      stop.abort();
      return `${text.slice(0, maxShown)}\n[cut here]`;
    }
  }
  try {
    return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}

async function build(panel, id) {
  const status = element('p', { className: 'soft' }, 'Loading…');
  status.setAttribute('role', 'status');
  panel.replaceChildren(status);
  described ??= await readJson('/docs/openapi.json');
  session ??= (await readJson('/portal/session').catch(() => null)) ?? null;
  const found = described && operationOf(described, id);
  if (!found) {
    status.textContent = 'The description could not be loaded. Close and open this to retry.';
    return;
  }
  const { path, method, raw } = found;
  const isOpen = Array.isArray(raw.security) && raw.security.length === 0;
  const inputs = (raw.parameters ?? [])
    .map((one) => resolved(described, one))
    .filter((one) => !/^(authorization|x-service-project-id)$/i.test(one.name))
    .map((parameter) => ({ parameter, control: inputFor(parameter) }));
  const body = bodyControl(described, raw);
  const isRequired = ({ parameter }) => parameter.required;
  const asField = ({ parameter, control }) => field(parameter.name, control);
  const optional = inputs.filter((one) => !isRequired(one));
  const send = element('button', { type: 'submit', className: 'try-send' }, `Send ${method}`);
  const stopButton = element('button', { type: 'button', hidden: true }, 'Stop');
  const answer = element('div', { className: 'try-answer' });
  const form = element(
    'form',
    { className: 'try-form' },
    ...(isOpen ? [] : [credentials()]),
    element('div', { className: 'try-fields' }, ...inputs.filter(isRequired).map(asField)),
    ...(optional.length === 0
      ? []
      : [
          element(
            'details',
            {},
            element('summary', {}, 'Optional parameters'),
            element('div', { className: 'try-fields' }, ...optional.map(asField)),
          ),
        ]),
    ...(body ? [field(body.label, body.control)] : []),
    element(
      'p',
      { className: 'try-acts' },
      send,
      stopButton,
      ...(method === 'GET' ? [] : [element('small', {}, 'This changes your project.')]),
    ),
  );
  let stop = new AbortController();
  stopButton.addEventListener('click', () => stop.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), maxMs);
    const { target, headers } = targetOf(path, inputs);
    const to = addressed(target, method, isOpen);
    const payload = body?.read();
    const type = body?.type ?? payload?.type;
    const begun = performance.now();
    send.disabled = true;
    stopButton.hidden = false;
    status.textContent = 'Sending…';
    answer.replaceChildren();
    try {
      const response = await fetch(to.url, {
        method,
        headers: {
          ...to.headers,
          ...headers,
          ...(payload && type ? { 'Content-Type': type } : {}),
        },
        credentials: to.credentials,
        signal: stop.signal,
        ...(payload ? { body: payload } : {}),
      });
      const text = await readSome(response, stop);
      const ms = Math.round(performance.now() - begun);
      status.textContent = `${response.status} ${response.statusText} in ${ms} ms`;
      const code = element('code', {}, text || 'No body');
      answer.append(
        element('pre', { tabIndex: 0, role: 'region', 'aria-label': 'Response' }, code),
      );
    } catch (error) {
      status.textContent =
        error.name === 'AbortError' ? 'Stopped.' : 'The request failed: no connection.';
    } finally {
      clearTimeout(timer);
      send.disabled = false;
      stopButton.hidden = true;
    }
  });
  status.textContent = '';
  panel.replaceChildren(form, status, answer);
}

for (const section of document.querySelectorAll('section.operation')) {
  const panel = element('div', { className: 'try-panel' });
  const opener = element('details', { className: 'try' }, element('summary', {}, 'Try it'), panel);
  opener.addEventListener('toggle', () => {
    if (opener.open && !panel.querySelector('form')) void build(panel, section.id);
  });
  section.querySelector('.shown').prepend(opener);
}
