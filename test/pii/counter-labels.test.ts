import { expect } from 'chai';
import { findLabelled } from '../../packages/pii/src/labels/index.ts';
import { textViewOf } from '../../packages/pii/src/view.ts';
import { removed } from './personal.ts';

const byLabel = (text: string) => findLabelled(textViewOf(text, false), () => true);

describe('what is called by a name or number that is no person’s', () => {
  it('are decisions of courts in print, but not cases without a place in print', () => {
    const cited =
      'See Green v. Superior Court (1974) 10 Cal.3d 616; Jordan\n19\tv. Talbot (1961) 55 Cal.2d 597; Marbury v. Madison, 5 U.S. 137; Donoghue v Stevenson [1932] AC 562.';
    expect(removed(cited)).to.deep.equal([]);
    expect(removed('Walter Price v. Ezra Field was settled.')).to.have.length(2);
  });

  it('are diseases, scores and tools', () => {
    for (const text of [
      'Il morbo di Crohn è cronico.',
      'The Raynaud phenomenon persists.',
      'An Apgar score below 7 warrants observation.',
      'Sindrome di Ménière nota.',
      'The Hudson flooded.',
    ]) {
      expect(removed(text), text).to.deep.equal([]);
    }
    expect(removed('Morbo di Crohn di Ornella Zannoner')).to.deep.equal([
      'PERSON Ornella Zannoner',
    ]);
  });

  it('are the numbers of laws and resolutions', () => {
    for (const text of [
      'A Lei Distrital n.º 5.815/2017, de iniciativa parlamentar, ostenta vício.',
      'na Resolução-TSE n° 23.549 , que dispõe',
      'conforme MP n° 2.200-2/2001 de 24/08/2001',
    ]) {
      const numbers = removed(text).filter((value) => value.startsWith('PERSONAL_ID'));
      expect(numbers, text).to.deep.equal([]);
    }
    expect(byLabel('Nos termos da lei nº 8.112, de 1990')).to.deep.equal([]);
    expect(byLabel('LEI 13709/2018')).to.deep.equal([]);
    expect(byLabel('LEI: 5493001KJTIIGC8Y1R12')).to.have.length(1);
  });

  it('are companies in registers, with their numbers for taxes on sales', () => {
    for (const text of [
      'SIRET 812 447 309 00024',
      'VAT no. GB 123 4567 89',
      'USt-IdNr. DE123456789',
      'Partita IVA 01234567890',
      'KvK 12345678, btw NL123456789B01',
      'Company No. 01234567',
      'Case No. RG26-114472',
      'Aktenzeichen 12 C 345/24',
    ]) {
      expect(removed(text), text).to.deep.equal([]);
    }
    expect(removed('SIRET 812 447 309 00024 Tél. 02 98 55 01 47')).to.deep.equal([
      'PHONE_NUMBER 02 98 55 01 47',
    ]);
  });
});
