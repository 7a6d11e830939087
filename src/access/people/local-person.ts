/** The person whom `script/server` signs in without an identity provider. */
export const localPerson = {
  issuer: 'http://localhost/local',
  subject: 'local',
  name: 'Local Developer',
};
