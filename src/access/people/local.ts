/** The person that `script/server` starts with, without an identity provider. */
export const localPerson = {
  issuer: 'http://localhost/local',
  subject: 'local',
  name: 'Local Developer',
};
