/** Whether this browser supports notifications, and whether they are permitted. */
export type Permission = NotificationPermission | 'unsupported';

export const notificationPermission = (): Permission =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** Shows a browser notification, if permitted and the page does not have the focus. */
export function showBrowserNotification(text: string, id: string, onClick: () => void): void {
  if (notificationPermission() !== 'granted' || document.hasFocus()) return;
  const notification = new Notification('Scriptorium', { body: text, tag: id });
  notification.onclick = () => {
    window.focus();
    onClick();
    notification.close();
  };
}
