/** Text from the API, with text between backticks shown as code. */
export function Prose({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}
