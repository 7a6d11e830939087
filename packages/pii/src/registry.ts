import type { EntityType, entityTypes } from '@scriptorium/contracts/documents/entities';
import * as au from './national/au.ts';
import * as br from './national/br.ts';
import * as ca from './national/ca.ts';
import * as de from './national/de.ts';
import * as es from './national/es.ts';
import * as fr from './national/fr.ts';
import * as india from './national/in.ts';
import * as it from './national/it.ts';
import * as nl from './national/nl.ts';
import * as pl from './national/pl.ts';
import * as se from './national/se.ts';
import * as uk from './national/uk.ts';
import * as us from './national/us.ts';
import type { PiiRecogniser } from './recogniser.ts';
import { age } from './recognisers/dates/age.ts';
import { dateOfBirth, dateTime, doubtfulDateTime } from './recognisers/dates/dates.ts';
import { britishLicence, licenceNumber } from './recognisers/documents/licence.ts';
import { misreadZone } from './recognisers/documents/misread-zone.ts';
import { machineReadableZone, passportNumber } from './recognisers/documents/passport.ts';
import { plate } from './recognisers/documents/plates.ts';
import { email } from './recognisers/internet/email.ts';
import { ipAddress, macAddress } from './recognisers/internet/network.ts';
import { url } from './recognisers/internet/url.ts';
import { bic, iban, polishAccount } from './recognisers/money/bank.ts';
import { card } from './recognisers/money/card.ts';
import { cryptoAddress } from './recognisers/money/crypto.ts';
import { phone } from './recognisers/phone.ts';

/** The types that are found by their form. */
export type PatternType = {
  [T in EntityType]: (typeof entityTypes)[T]['basis'] extends 'pattern' ? T : never;
}[EntityType];

/**
 * The recognisers of each type. The code does not compile if a type with the basis `pattern` has no
 * entry.
 */
export const piiRecognisers: Readonly<Record<PatternType, readonly PiiRecogniser[]>> = {
  AGE: [age],
  DATE_OF_BIRTH: [dateOfBirth],
  DATE_TIME: [dateTime, doubtfulDateTime],
  EMAIL_ADDRESS: [email],
  PHONE_NUMBER: [phone],
  URL: [url],
  IP_ADDRESS: [ipAddress],
  MAC_ADDRESS: [macAddress],
  CREDIT_CARD: [card],
  IBAN_CODE: [iban, polishAccount],
  SWIFT_CODE: [bic],
  CRYPTO: [cryptoAddress],
  PASSPORT: [machineReadableZone, misreadZone, passportNumber],
  DRIVER_LICENSE: [britishLicence, licenceNumber],
  LICENCE_PLATE: [plate],
  US_SSN: [us.ssn],
  US_ITIN: [us.itin],
  US_BANK_NUMBER: [us.routingNumber, us.account],
  UK_NHS: [uk.nhs],
  UK_NINO: [uk.nino, uk.ninoWithoutSuffix],
  DE_TAX_ID: [de.taxId],
  DE_ID_CARD: [de.idCard, de.idCardFront],
  DE_SOCIAL_SECURITY: [de.socialSecurity],
  FR_NIR: [fr.nir, fr.nirWithoutKey],
  ES_NIF: [es.nif],
  IT_FISCAL_CODE: [it.fiscalCode],
  NL_BSN: [nl.bsn, nl.bsnEightDigits],
  SE_PERSONNUMMER: [se.personnummer],
  PL_PESEL: [pl.pesel],
  IN_AADHAAR: [india.aadhaar],
  IN_PAN: [india.pan],
  AU_TFN: [au.tfn, au.tfnEightDigits],
  AU_MEDICARE: [au.medicare],
  BR_CPF: [br.cpf],
  BR_CNPJ: [br.cnpj],
  CA_SIN: [ca.sin],
};

export const patternTypes = Object.keys(piiRecognisers) as PatternType[];
