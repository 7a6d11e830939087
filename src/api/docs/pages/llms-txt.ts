import type { ContentsGroup } from '../guides/load.ts';

/** The index of the documentation for language models (llmstxt.org). */
export function renderLlmsTxt(contents: readonly ContentsGroup[]): string {
  const groups = contents.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${page.path})`);
    return `## ${title}\n\n${links.join('\n')}\n`;
  });
  return `# Scriptorium

> Stores documents and images, processes them page by page (OCR, redaction, classification, text for language models), and records every change as an event. /mcp serves a project over the Model Context Protocol.

## API

- [OpenAPI document](/docs/openapi.json)
- [Errors](/docs/errors)
- [Skill](/docs/SKILL.md): how to upload, recognise, redact, find and cite documents with the MCP tools

${groups.join('\n')}`;
}
