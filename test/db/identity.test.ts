import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { identityOf, requireStableSession } from '../../src/db/preparing/start-up.ts';
import { createDatabase } from '../support/services.ts';

describe('the identity of a database', () => {
  it('is not needed, where the role must not read it', async () => {
    const { apiUrl, superuserUrl, drop } = await createDatabase();
    const superuser = await openDatabase(superuserUrl, { poolSize: 1 });
    const database = await openDatabase(apiUrl, { poolSize: 1 });
    try {
      const identity = await identityOf(database);
      expect(identity).to.match(/^\d+\/\d+$/);
      expect(await identityOf(superuser)).to.equal(identity);
      await superuser.query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
      expect(await identityOf(database)).to.equal(null);
      await requireStableSession(database, apiUrl, apiUrl);
    } finally {
      await database.destroy();
      await superuser.destroy();
      await drop();
    }
  });
});
