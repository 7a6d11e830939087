import type { ComponentChildren } from 'preact';
import { formatBytes } from '../../../contracts/format-bytes.ts';
import type { Camera, ImageRecord } from '../../../contracts/wire/library/images.ts';
import type { ObjectRecord } from '../../../contracts/wire/library/objects.ts';
import { formatCount } from '../../kit/count.ts';
import { Named } from '../../kit/named.tsx';
import { useName } from '../../kit/names.ts';
import { Copy, Id, State, Time } from '../../kit/values.tsx';

/** The properties that people cannot edit. */
export function Facts({
  image,
  object,
}: {
  image: ImageRecord | null;
  object: ObjectRecord | null;
}) {
  const record = object ?? image!;
  const sourceName = useName(object?.derived_from ?? undefined);
  const rows: (readonly [string, ComponentChildren])[] = [
    ['State', <State key="s" state={record.state} />],
    ['File name', <bdi key="f">{record.filename}</bdi>],
    ['Type', record.mime],
    ['Size', `${formatBytes(record.bytes)} (${formatCount(record.bytes)} bytes)`],
  ];
  if (image) rows.push(...factsOfImage(image));
  if (object?.pages != null) rows.push(['Pages', formatCount(object.pages)]);
  for (const [at, { label, score }] of (object?.labels ?? []).entries()) {
    if (at > 0 && score < 0.01) continue;
    rows.push([at === 0 ? 'Classified as' : 'or', `${label} (${Math.round(100 * score)}%)`]);
  }
  if (object?.derived_from) {
    rows.push([
      'Derived from',
      <Named
        key="d"
        id={object.derived_from}
        name={sourceName}
        loading={sourceName === undefined}
      />,
    ]);
  }
  if (object?.source.job_id) {
    rows.push(['Created by', <Named key="j" id={object.source.job_id} name="Job" />]);
  }
  rows.push(
    ['Added', <Time key="c" at={record.created_at} exact />],
    ['Updated', <Time key="u" at={record.updated_at} exact />],
    [
      'SHA-256',
      <span key="h" class="mono">
        {record.sha256} <Copy text={record.sha256} what="SHA-256" />
      </span>,
    ],
  );
  if (image) rows.push(['Image', <Id key="i" id={image.id} />]);
  rows.push(['Object', <Id key="o" id={object?.id ?? image!.object_id} />]);
  return (
    <dl class="facts">
      {rows.map(([name, value], at) => (
        <>
          <dt key={at}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function factsOfImage(image: ImageRecord): (readonly [string, ComponentChildren])[] {
  const { width, height, camera, location, captured_at: captured, palette } = image;
  return [
    ...(width && height
      ? [
          [
            'Dimensions',
            `${formatCount(width)} × ${formatCount(height)} px, ${image.orientation}`,
          ] as const,
        ]
      : []),
    ...(captured ? [['Taken', <Time key="t" at={captured} exact />] as const] : []),
    ...(camera ? [['Camera', sayCamera(camera)] as const] : []),
    ...(location
      ? [['Location', `${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`] as const]
      : []),
    ...(palette?.length
      ? [
          [
            'Colours',
            <span key="p" class="detail-palette">
              {palette.map((color) => (
                <span key={color} title={color} style={{ background: color }}>
                  <span class="visually-hidden">{color}</span>
                </span>
              ))}
            </span>,
          ] as const,
        ]
      : []),
  ];
}

function sayCamera(camera: Camera): string {
  const { exposure_seconds: exposure } = camera;
  const name = [camera.make, camera.model].filter(Boolean).join(' ');
  const time =
    exposure &&
    (exposure < 1 ? `1/${Math.round(1 / exposure)} s` : `${Number(exposure.toFixed(1))} s`);
  const parts = [
    name,
    camera.lens,
    camera.focal_length_mm && `${Number(camera.focal_length_mm.toFixed(1))} mm`,
    camera.aperture && `f/${Number(camera.aperture.toFixed(1))}`,
    time,
    camera.iso && `ISO ${camera.iso}`,
  ];
  return parts.filter(Boolean).join(' · ') || 'Unknown';
}
