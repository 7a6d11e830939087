import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A section of the documentation, without its subsections. */
export interface Section {
  file: string;
  anchor: string;
  headings: string[];
  text: string;
}

/** A question of docs/questions.md, and how well each section answers it (2: linked, 1: in the linked page). */
export interface Question {
  text: string;
  grades: Map<Section, number>;
}

/** The sections of the documentation as passages, and the questions that link to them. */
export async function readGuideSections(
  docs: string,
): Promise<{ sections: Section[]; questions: Question[] }> {
  const names = (await readdir(docs, { recursive: true })).filter(
    (name) => name.endsWith('.md') && name !== 'questions.md' && !name.startsWith('history'),
  );
  const sections: Section[] = [];
  for (const file of names.sort()) {
    sections.push(...sectionsOf(file, await readFile(join(docs, file), 'utf8')));
  }
  const list = await readFile(join(docs, 'questions.md'), 'utf8');
  const questions = [...list.matchAll(/^- \[(.+)\]\(([^)#]+)(?:#([^)]+))?\)/gm)].map(
    ([, text = '', file = '', anchor]) => ({ text, grades: gradesOf(sections, file, anchor) }),
  );
  return { sections, questions: questions.filter(({ grades }) => grades.size > 0) };
}

function gradesOf(
  sections: readonly Section[],
  file: string,
  anchor: string | undefined,
): Map<Section, number> {
  const ofFile = sections.filter((section) => section.file === file);
  const linked =
    anchor === undefined ? ofFile.slice(0, 1) : ofFile.filter((one) => one.anchor === anchor);
  const others: [Section, number][] = anchor === undefined ? ofFile.map((one) => [one, 1]) : [];
  return new Map([...others, ...linked.map((one): [Section, number] => [one, 2])]);
}

function sectionsOf(file: string, markdown: string): Section[] {
  const path: string[] = [];
  const sections: Section[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,6}) (.+)$/.exec(line);
    if (heading) {
      const [, marks = '', title = ''] = heading;
      path.splice(marks.length - 1, path.length, title);
      const anchor = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
      sections.push({ file, anchor, headings: path.filter(Boolean), text: title });
    } else {
      const section = sections.at(-1);
      if (section) section.text += `\n${line}`;
    }
  }
  return sections;
}
