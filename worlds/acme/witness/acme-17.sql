-- all claims
select Company_Claim_Number as claim_number, Claim_Open_Date as open_date, Claim_Close_Date as close_date from claim
