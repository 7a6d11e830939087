import { formatBytes } from '@scriptorium/contracts/format-bytes';
import type { Camera, ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { Fact } from '../../kit/fact.tsx';
import { formatCount } from '../../kit/format-count.ts';
import { NamedResource } from '../../kit/named-resource.tsx';
import { useName } from '../../kit/names.ts';
import { CopyButton, Id, StateBadge, Time } from '../../kit/values.tsx';
import { usePlaceNames } from '../places/use-place-name.ts';

/** The properties of an image or object that cannot be edited. */
export function Facts({
  image,
  object,
}: {
  image: ImageRecord | null;
  object: ObjectRecord | null;
}) {
  const record = object ?? image!;
  const sourceName = useName(object?.derived_from ?? undefined);
  const labels = (object?.labels ?? []).filter(({ score }, at) => at === 0 || score >= 0.01);
  return (
    <dl class="facts">
      <Fact name="State" value={<StateBadge state={record.state} />} />
      <Fact name="File name" value={<bdi>{record.filename}</bdi>} />
      <Fact name="Type" value={record.mime} />
      <Fact
        name="Size"
        value={`${formatBytes(record.bytes)} (${formatCount(record.bytes)} bytes)`}
      />
      {image && <ImageFacts image={image} />}
      <Fact name="Pages" value={object?.pages != null && formatCount(object.pages)} />
      {labels.map(({ label, score }, at) => (
        <Fact
          key={label}
          name={at === 0 ? 'Classified as' : 'or'}
          value={`${label} (${Math.round(100 * score)}%)`}
        />
      ))}
      {object?.derived_from && (
        <Fact name="Derived from">
          <NamedResource
            id={object.derived_from}
            name={sourceName}
            loading={sourceName === undefined}
          />
        </Fact>
      )}
      <Fact
        name="Created by"
        value={object?.source.job_id && <NamedResource id={object.source.job_id} name="Job" />}
      />
      <Fact name="Added" value={<Time at={record.created_at} exact />} />
      <Fact name="Updated" value={<Time at={record.updated_at} exact />} />
      <Fact name="SHA-256">
        <span class="mono">
          {record.sha256} <CopyButton text={record.sha256} subject="SHA-256" />
        </span>
      </Fact>
      <Fact name="Image" value={image && <Id id={image.id} />} />
      <Fact name="Object" value={<Id id={object?.id ?? image!.object_id} />} />
    </dl>
  );
}

/** What a picture says about itself: its size, and when, where and with what it was taken. */
export function ImageFacts({ image }: { image: ImageRecord }) {
  const { width, height, creator, copyright, camera, location, captured_at, palette } = image;
  const namePlace = usePlaceNames(location !== null);
  const coordinates =
    location && `${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`;
  const city = location && namePlace(location);
  return (
    <>
      <Fact
        name="Dimensions"
        value={
          width &&
          height &&
          `${formatCount(width)} × ${formatCount(height)} px, ${image.orientation}`
        }
      />
      <Fact name="Taken" value={captured_at && <Time at={captured_at} exact />} />
      <Fact name="Creator" value={creator && <bdi>{creator}</bdi>} />
      <Fact name="Copyright" value={copyright && <bdi>{copyright}</bdi>} />
      <Fact name="Camera" value={camera && nameOfCamera(camera)} />
      <Fact name="Lens" value={camera?.lens && <bdi>{camera.lens}</bdi>} />
      <Fact name="Exposure" value={camera && exposureOf(camera)} />
      <Fact name="Place" value={city && <bdi>{`Near ${city}`}</bdi>} />
      <Fact name="Coordinates" value={coordinates} />
      {palette && palette.length > 0 && (
        <Fact name="Colours">
          <span class="detail-palette">
            {palette.map((color) => (
              <span key={color} title={color} style={{ background: color }}>
                <span class="visually-hidden">{color}</span>
              </span>
            ))}
          </span>
        </Fact>
      )}
    </>
  );
}

function nameOfCamera({ make, model }: Camera): string {
  // Many models start with the name of the maker.
  const isRepeated = make && model?.toLowerCase().startsWith(make.toLowerCase());
  return [isRepeated ? null : make, model].filter(Boolean).join(' ');
}

function exposureOf(camera: Camera): string {
  const { exposure_seconds: exposure } = camera;
  const time =
    exposure &&
    (exposure < 1 ? `1/${Math.round(1 / exposure)} s` : `${Number(exposure.toFixed(1))} s`);
  const parts = [
    camera.focal_length_mm && `${Number(camera.focal_length_mm.toFixed(1))} mm`,
    camera.aperture && `f/${Number(camera.aperture.toFixed(1))}`,
    time,
    camera.iso && `ISO ${camera.iso}`,
  ];
  return parts.filter(Boolean).join(' · ');
}
