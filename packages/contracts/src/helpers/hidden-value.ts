/**
 * Shown in responses instead of the value of a webhook's custom header, which may be a credential.
 * It is not ASCII, so it cannot be the value of a real header.
 */
export const hiddenValue = '••••';
