import { type MainJob, openMainJob } from '../support/main-job.ts';

/** The one kill of a process that the short run has; faults has the others. */
describe('the main job', () => {
  let main: MainJob;
  beforeEach(async () => {
    main = await openMainJob();
  });
  afterEach(() => main.close());

  it('survives the death of an OCR worker in mid-page while another runs', async () => {
    await main.service.startServer();
    main.service.startWorker('relay,webhooks');
    const doomed = main.service.startWorker('ocr');
    main.service.startWorker('ocr');
    const { id } = await main.midJob(await main.begin());
    await doomed.kill();
    await main.expectComplete(id);
  });
});
