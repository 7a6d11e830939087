/** Whether this browser supports notifications, and whether they are permitted. */
export type Permission = NotificationPermission | 'unsupported';

export const permission = (): Permission =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** Shows a browser notification, if permitted and the page is not visible. */
export function notifyOutside(text: string, id: string, open: () => void): void {
  if (permission() !== 'granted' || document.hasFocus()) return;
  const shown = new Notification('Scriptorium', { body: text, tag: id });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
