#!/usr/bin/env node
// Finds wording that the style guide in CONTRIBUTING.md ("Words") replaces. Run by script/check.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Patterns, and what to write instead. Case is ignored. */
const rules = [
  [/\bwhoever\b/, 'name the actor: "a client that", "the caller", "if someone"'],
  [
    /(?<!['"`])\bnobody\b(?!['"`])/,
    '"no one", the passive ("is not awaited"), or say what is missing',
  ],
  [/\bsomebody\b/, 'name the actor, or use the passive: "was requested"'],
  [/\banew\b/, '"again"'],
  [/\bnone of (ours|theirs|its own)\b/, '"is invalid", "is unknown"'],
  [/\bof ours\b/, 'name the owner: "of this service"'],
  [/\bthere (is|are|was|were) none\b/, '"if any", "without …", "null if …"'],
  [/\b(for want of|thereby)\b/, '"without", "so", "which"'],
  [/\b(tells?|told) (no|nothing|which|whether)\b/, '"returns", "reports", "says whether"'],
  [/\blooks? whether\b/, '"checks whether"'],
  [/\bheld against\b/, '"checked against", "compared with"'],
  [/\bunless (it )?(is )?said\b/, '"by default", "Default: …"'],
  [/(?<!\/)\bmend(s|ed|ing)?\b/, '"fix", "repair", "correct"'],
  [/\bare the most\b/, '"the maximum is N"'],
  [/\bwhich of the two\b/, 'name both'],
  [/\b(may be had|other eyes)\b/, '"is available", "an independent check"'],
  [/\bgoes away\b/, '"disconnects", "is deleted", "ends"'],
  [/\bstands (in|at|on|beside)\b/, '"is in", "stays at"'],
  [
    /\bis no (?!(longer|more|less|need|one|way|point|such|different|better)\b)[a-z]/,
    '"is not a …", "is not valid …"',
  ],
  [/\b(is|are) at most so\b/, '"Maximum …, in <unit>"'],
  [/^[ /*]* At most (so|this) (many|much|long)\b/, '"Maximum number of …"'],
  [/\bheights of their line\b/, '"line heights"'],
  [/\bcontract §/, 'say what is promised, or link to docs/'],
  [
    /\b1 (jobs|pages|files|objects|events|items|images|tasks|bytes)\b/,
    '`pluralise` (contracts/pluralise)',
  ],
  [/\b(Ip|Json|Uri|Csrf) [a-z]+/, 'acronyms in capitals', 'case'],
].map(([pattern, instead, mode]) => ({
  pattern: new RegExp(pattern.source, mode === 'case' ? '' : 'i'),
  instead,
}));

const isText = /\.(sql|ts|tsx|mts|mjs|js|css|html|md|sh|yaml|yml|py)$|^(script|deploy)\/[\w-]+$/;
/** Ignored files: recorded or generated files, sample documents, and this list. */
const ignored =
  /^(CONTRIBUTING\.md|script\/words|lab\/training\/|packages\/client\/src\/generated\.ts|test\/support\/(corpus|classify)\/|lab\/bench\/support\/(pii|classify)\/|test\/pii\/|test\/documents\/classify\/|packages\/(pii\/src|documents\/src\/classify)\/.*(lexicon|lists|weights))/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((file) => isText.test(file) && !ignored.test(file) && existsSync(file));

const findings = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ pattern, instead }) => `${file}:${at + 1}: '${pattern.exec(line)[0]}': ${instead}`),
    ),
);

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
