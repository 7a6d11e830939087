// Sends requests from the reference page, with the portal session or a pasted key, which is only
// kept in this page's memory.
let apiDocument;
let session;
const keyInput = { key: '', project: '' };
/** The maximum length of a response. Longer responses are truncated. */
const maxResponseLength = 50_000;
/** How long a stream is read, in milliseconds. */
const maxStreamMs = 30_000;

function element(name, properties = {}, ...children) {
  const created = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property.includes('-') || property === 'for' || property === 'role') {
      created.setAttribute(property, value);
    } else created[property] = value;
  }
  created.append(...children);
  return created;
}

async function readJson(url) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  return response.ok ? response.json() : null;
}

const resolveReference = (document, value) =>
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
  const key = element('input', { type: 'password', autocomplete: 'off', value: keyInput.key });
  const project = element('input', { type: 'text', autocomplete: 'off', value: keyInput.project });
  key.addEventListener('input', () => {
    keyInput.key = key.value.trim();
  });
  project.addEventListener('input', () => {
    keyInput.project = project.value.trim();
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
  const value = resolveReference(document, example)?.value;
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
function addCredentials(target, method, isOpen) {
  if (keyInput.key !== '' || isOpen || !session) {
    return {
      url: target,
      credentials: 'omit',
      headers:
        keyInput.key === ''
          ? {}
          : {
              Authorization: `Bearer ${keyInput.key}`,
              'X-Service-Project-ID': keyInput.project,
            },
    };
  }
  return {
    url: `/portal/api${target}`,
    credentials: 'same-origin',
    headers: method === 'GET' ? {} : { 'X-CSRF-Token': session.csrf_token },
  };
}

async function readResponse(response, controller) {
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
    if (text.length > maxResponseLength) {
      controller.abort();
      return `${text.slice(0, maxResponseLength)}\n[truncated]`;
    }
  }
  try {
    return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}

async function buildForm(panel, id) {
  const status = element('p', { className: 'soft' }, 'Loading…');
  status.setAttribute('role', 'status');
  panel.replaceChildren(status);
  apiDocument ??= await readJson('/docs/openapi.json');
  session ??= (await readJson('/portal/session').catch(() => null)) ?? null;
  const operation = apiDocument && operationOf(apiDocument, id);
  if (!operation) {
    status.textContent = 'The description could not be loaded. Close and open this to retry.';
    return;
  }
  const { path, method, raw } = operation;
  const isOpen = Array.isArray(raw.security) && raw.security.length === 0;
  const inputs = (raw.parameters ?? [])
    .map((one) => resolveReference(apiDocument, one))
    .filter((one) => !/^(authorization|x-service-project-id)$/i.test(one.name))
    .map((parameter) => ({ parameter, control: inputFor(parameter) }));
  const body = bodyControl(apiDocument, raw);
  const isRequired = ({ parameter }) => parameter.required;
  const toField = ({ parameter, control }) => field(parameter.name, control);
  const optional = inputs.filter((one) => !isRequired(one));
  const sendButton = element('button', { type: 'submit', className: 'try-send' }, `Send ${method}`);
  const stopButton = element('button', { type: 'button', hidden: true }, 'Stop');
  const responsePanel = element('div', { className: 'try-answer' });
  const form = element(
    'form',
    { className: 'try-form' },
    ...(isOpen ? [] : [credentials()]),
    element('div', { className: 'try-fields' }, ...inputs.filter(isRequired).map(toField)),
    ...(optional.length === 0
      ? []
      : [
          element(
            'details',
            {},
            element('summary', {}, 'Optional parameters'),
            element('div', { className: 'try-fields' }, ...optional.map(toField)),
          ),
        ]),
    ...(body ? [field(body.label, body.control)] : []),
    element(
      'p',
      { className: 'try-acts' },
      sendButton,
      stopButton,
      ...(method === 'GET' ? [] : [element('small', {}, 'This changes your project.')]),
    ),
  );
  let controller = new AbortController();
  stopButton.addEventListener('click', () => controller.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), maxStreamMs);
    const { target, headers } = targetOf(path, inputs);
    const destination = addCredentials(target, method, isOpen);
    const payload = body?.read();
    const type = body?.type ?? payload?.type;
    const startedAt = performance.now();
    sendButton.disabled = true;
    stopButton.hidden = false;
    status.textContent = 'Sending…';
    responsePanel.replaceChildren();
    try {
      const response = await fetch(destination.url, {
        method,
        headers: {
          ...destination.headers,
          ...headers,
          ...(payload && type ? { 'Content-Type': type } : {}),
        },
        credentials: destination.credentials,
        signal: controller.signal,
        ...(payload ? { body: payload } : {}),
      });
      const text = await readResponse(response, controller);
      const ms = Math.round(performance.now() - startedAt);
      status.textContent = `${response.status} ${response.statusText} in ${ms} ms`;
      const code = element('code', {}, text || 'No body');
      responsePanel.append(
        element('pre', { tabIndex: 0, role: 'region', 'aria-label': 'Response' }, code),
      );
    } catch (error) {
      status.textContent =
        error.name === 'AbortError' ? 'Stopped.' : 'The request failed: no connection.';
    } finally {
      clearTimeout(timer);
      sendButton.disabled = false;
      stopButton.hidden = true;
    }
  });
  status.textContent = '';
  panel.replaceChildren(form, status, responsePanel);
}

for (const section of document.querySelectorAll('section.operation')) {
  const panel = element('div', { className: 'try-panel' });
  const opener = element('details', { className: 'try' }, element('summary', {}, 'Try it'), panel);
  opener.addEventListener('toggle', () => {
    if (opener.open && !panel.querySelector('form')) void buildForm(panel, section.id);
  });
  section.querySelector('.shown').prepend(opener);
}
