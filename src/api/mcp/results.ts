import type { RouteResponse } from './call-route.ts';
import { isRecord, wellFormed } from './json-rpc.ts';
import { describeProblem } from './problem-text.ts';
import { citationUri } from './resources.ts';
import type { Tool } from './tool-schemas.ts';
import { maxResultCharacters } from './tools.ts';

/** A piece of the result of a tool (MCP, ContentBlock). */
type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; mimeType: string };

export interface ToolResult {
  content: Content[];
  isError?: true;
}

/** The part of a text that a call asks for, in characters. */
export interface TextWindow {
  offset: number;
  maxCharacters: number;
}

const text = (value: string): Content => ({ type: 'text', text: value });
const failed = (message: string): ToolResult => ({ content: [text(message)], isError: true });

/** The result of a tool from the response of its route. */
export function resultOf(tool: Tool, response: RouteResponse, window: TextWindow): ToolResult {
  const { status, headers, bytes } = response;
  if (status >= 300) return failed(describeProblem(status, bytes));
  const mimeType = String(headers['content-type'] ?? '').split(';', 1)[0]!;
  switch (tool.declaration.form) {
    case 'picture':
      return { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] };
    case 'page text':
      return documentText(linesOf(JSON.parse(bytes.toString('utf8'))), window);
    case 'file text': {
      if (!isText(mimeType)) {
        return failed(
          `The object is ${mimeType || 'not text'}. Read its pages with getPageText or getPageImage.`,
        );
      }
      return documentText(bytes.toString('utf8'), window);
    }
    case 'json':
    case 'upload':
      return jsonResult(bytes.toString('utf8'));
  }
}

const isText = (mimeType: string): boolean =>
  mimeType.startsWith('text/') || /^application\/(json|x-ndjson|xml)$/.test(mimeType);

/** The text of a page line by line. */
function linesOf(page: unknown): string {
  const words = isRecord(page) && Array.isArray(page.words) ? page.words.filter(isRecord) : [];
  const lines: { line: unknown; words: string[] }[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last && last.line === word.line) last.words.push(String(word.text));
    else lines.push({ line: word.line, words: [String(word.text)] });
  }
  return lines.map((line) => line.words.join(' ')).join('\n');
}

/** A part of a text, as a string of JSON: it cannot be mistaken for anything else in the result. */
function documentText(whole: string, { offset, maxCharacters }: TextWindow): ToolResult {
  const part = whole.slice(offset, offset + maxCharacters);
  const end = offset + part.length;
  const body = {
    text: wellFormed(part),
    offset,
    total_characters: whole.length,
    next_offset: end < whole.length ? end : null,
  };
  return { content: [text(JSON.stringify(body))] };
}

function jsonResult(json: string): ToolResult {
  if (json.length > maxResultCharacters) {
    return failed(
      `The result has ${json.length} characters, more than ${maxResultCharacters}. Ask for less, such as with a smaller \`limit\`.`,
    );
  }
  return { content: [text(json), ...citationsIn(JSON.parse(json))] };
}

/** Links to the citations of passages, which `resources/read` resolves. */
function citationsIn(body: unknown): Content[] {
  const passages = isRecord(body) && Array.isArray(body.data) ? body.data : [];
  return passages.flatMap((passage): Content[] => {
    if (!isRecord(passage) || typeof passage.citation_id !== 'string') return [];
    const name = `${String(passage.filename)}, page ${String(passage.page)}`;
    return [
      {
        type: 'resource_link',
        uri: citationUri(passage.citation_id),
        name,
        mimeType: 'application/json',
      },
    ];
  });
}
