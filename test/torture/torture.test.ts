import { expect } from 'chai';
import { controls, findApplyFailure, patchNames } from '../../lab/torture/controls.ts';
import { makePlan, type Plan, readKinds } from '../../lab/torture/plan.ts';
import { runPlan } from '../../lab/torture/run.ts';
import { shrink } from '../../lab/torture/shrink.ts';

/** Those that cost little time: no program starts again more than the processor has time for. */
const ordinary = [
  'kill',
  'cutPostgres',
  'cutRedis',
  'cutClients',
  'slowPostgres',
  'flushRedis',
  'fillStorage',
  'freezeStorage',
  'failReceiver',
] as const;

describe('the whole system under torture', () => {
  it('does what it accepted, once, whatever fails meanwhile', async () => {
    const {
      violations,
      requests,
      begun: struck,
    } = await runPlan(makePlan(21, { requests: 40, faults: 7, clients: 6, kinds: ordinary }), {
      size: 'few',
      postgres: 'shared',
    });
    expect(violations).to.deep.equal([]);
    expect(requests).to.be.at.least(40);
    expect(Object.keys(struck)).to.have.length.greaterThan(2);
  });

  it('has controls that apply to the source as it is', async () => {
    const patches = await patchNames();
    expect(patches).to.deep.equal(
      Object.keys(controls)
        .map((name) => `${name}.patch`)
        .sort(),
    );
    for (const patch of patches) expect(await findApplyFailure(patch), patch).to.equal(null);
  });

  it('takes no fault that does not exist', () => {
    expect(readKinds('cutRedis,kill')).to.deep.equal(['kill', 'cutRedis']);
    expect(() => readKinds('kil')).to.throw("Unknown fault 'kil'. Expected some of: kill, ");
  });

  it('shortens a plan to the steps that fail', async () => {
    const plan = makePlan(5, { requests: 40, faults: 10, clients: 4 });
    const guilty = [plan.steps.findIndex(({ kind }) => kind === 'fault'), 33];
    const culprits = guilty.map((at) => plan.steps[at]!);
    const fails = async ({ steps }: Plan) => culprits.every((step) => steps.includes(step));
    const short = await shrink(plan, 200, fails);
    expect(short.steps).to.have.members(culprits);
    const bounded = await shrink(plan, 3, fails);
    expect(bounded.steps).to.include.members(culprits);
  });
});
