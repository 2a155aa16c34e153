-- How many times the model of a sampled act was asked anew for a usable answer, the first time included; repairs are counted apart.
ALTER TABLE artifacts ADD COLUMN tries INTEGER NOT NULL DEFAULT 1;
