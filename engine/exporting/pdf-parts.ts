/** Shared parts of our PDFs: a new document, and drawing operators. */
import { PDFDocument, type PDFName, type PDFNumber, PDFOperator, type PDFOperatorNames } from 'pdf-lib';

export const operator = (name: PDFOperatorNames, ...values: (PDFName | PDFNumber | string)[]): PDFOperator =>
  PDFOperator.of(name, values as never);

/** A document without pages; `madeAt` is its only date. */
export async function newDocument(title: string, madeAt: Date): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setCreator('Platbook');
  document.setCreationDate(madeAt);
  return document;
}
