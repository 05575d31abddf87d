/** Rows of people.sqlite, as the import writes them and the trace reads them. */

export interface StoredContact {
  readonly contact_id: number;
  readonly first_name: string;
  readonly middle_name: string | null;
  readonly last_name: string;
  readonly suffix: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
}

export interface StoredPhone {
  readonly number: string;
  readonly line_type: 'Mobile' | 'Landline' | null;
  readonly dnc: number | null;
}
