/**
 * What answers show in place of the value of a webhook's own header, which may be a credential. No
 * header can have it as its value: it is not ASCII.
 */
export const hiddenValue = '••••';
