CREATE TABLE "Invoice" ("invoiceId" int PRIMARY KEY, "Total" numeric, total int, Status text, "select" text);
CREATE TABLE invoice (Id int PRIMARY KEY, secret text);
CREATE TABLE LineItems (ID int PRIMARY KEY, "invoiceId" int REFERENCES "Invoice"("invoiceId"), Pieces int,
  invoice_id int REFERENCES Invoice (id));
CREATE UNIQUE INDEX one ON "Invoice" ("Total");
ALTER TABLE ONLY "Invoice" ALTER COLUMN "Total" SET NOT NULL;
CREATE VIEW "Paid" ("Id", total) AS SELECT "invoiceId", "Total" FROM "Invoice" WHERE Status = 'paid';
