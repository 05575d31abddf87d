/** What every PDF of ours begins with, and its operators with their operands. */
import { PDFDocument, type PDFName, type PDFNumber, PDFOperator, type PDFOperatorNames } from 'pdf-lib';

export const operator = (name: PDFOperatorNames, ...values: (PDFName | PDFNumber | string)[]): PDFOperator =>
  PDFOperator.of(name, values as never);

/** A document without pages that says no other time than the one given. */
export async function newDocument(title: string, madeAt: Date): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setCreator('Platbook');
  document.setCreationDate(madeAt);
  return document;
}
