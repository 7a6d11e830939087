import { Button } from '../../../kit/button.tsx';
import { SelectField } from '../../../kit/fields/field.tsx';
import { KeyHint } from '../shortcuts.tsx';
import { typeOptions } from './use-tool-keys.ts';

/** The effect of dragging on a page. */
export type Tool = 'move' | 'box' | 'words';

const hints: Record<Exclude<Tool, 'move'>, string> = {
  box: 'Drag on a page, or move the box with the arrow keys, resize it with Shift and the arrow keys, and press Enter.',
  words:
    'Drag over words, or choose them with the left and right arrow keys (with Shift, several), and press Enter.',
};

/** The tools that add findings. */
export function Toolbar(props: {
  tool: Tool;
  onTool: (tool: Tool) => void;
  type: string;
  onType: (type: string) => void;
  /** Undefined if the user may not read the text, which is needed to search it. */
  onEverywhere: (() => void) | undefined;
}) {
  const { tool, onTool, type, onType, onEverywhere } = props;
  const toggle = (one: Tool) => () => onTool(tool === one ? 'move' : one);
  return (
    <section class="bench-tools" aria-label="Add findings">
      <Button small pressed={tool === 'box'} onClick={toggle('box')}>
        Draw box <KeyHint of="D" />
      </Button>
      <Button small pressed={tool === 'words'} onClick={toggle('words')}>
        Select words <KeyHint of="W" />
      </Button>
      {onEverywhere && (
        <Button small onClick={onEverywhere}>
          Redact everywhere… <KeyHint of="E" />
        </Button>
      )}
      {tool !== 'move' && (
        <>
          <SelectField label="Type to add" value={type} onChange={onType} options={typeOptions} />
          <p class="soft">{hints[tool]}</p>
          <Button small quiet onClick={() => onTool('move')}>
            Done
          </Button>
        </>
      )}
    </section>
  );
}
